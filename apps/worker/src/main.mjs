#!/usr/bin/env node
// Plain JavaScript, so that older versions of Node.js can show an error message.
import { launch } from "../../../packages/config/src/launch.mjs";

await launch(() => import("./run.ts"));
