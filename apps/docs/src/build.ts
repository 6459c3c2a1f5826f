/** `node src/build.ts` builds the documentation into dist/: the pages, and the reference on one page in dist/reference/. */
import { cpSync, existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { compress } from "./compress.ts";
import { buildReference } from "./reference.ts";
import { buildSite } from "./site/build-site.ts";

const dist = join(import.meta.dirname, "../dist");
const [folder, previous] = [`${dist}.${process.pid}`, `${dist}.${process.pid}.old`];

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

// A server that starts or runs meanwhile must find the documentation.
if (existsSync(dist)) renameSync(dist, previous);
renameSync(folder, dist);
rmSync(previous, { recursive: true, force: true });
