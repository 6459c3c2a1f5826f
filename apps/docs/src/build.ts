/** `node src/build.ts` builds the API reference into dist/. */
import { join } from "node:path";
import { buildReference } from "./reference.ts";

buildReference(join(import.meta.dirname, "../dist"));
