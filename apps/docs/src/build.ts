/** `node src/build.ts` builds the documentation into dist/: the pages, and the reference on one page in dist/reference/. */
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { compress } from "./compress.ts";
import { buildReference } from "./reference.ts";
import { buildSite } from "./site/build-site.ts";

const folder = join(import.meta.dirname, "../dist");

rmSync(folder, { recursive: true, force: true });
await buildSite(folder);
buildReference(join(folder, "reference"));
// The chapters link these files by their relative addresses.
for (const name of [
  "openapi.json",
  "openapi.yaml",
  "first-webhook.arazzo.yaml",
  "signature-test-vectors.json",
]) {
  cpSync(join(folder, "reference", name), join(folder, name));
}
compress(join(folder, "reference"));
compress(join(folder, "assets"));
