#!/usr/bin/env node
// Plain JavaScript, because an older Node.js cannot read the program itself.
import { launch } from "../../../packages/config/src/launch.mjs";

await launch(() => import("./run.ts"));
