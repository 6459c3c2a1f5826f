import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stringify } from "yaml";
import type { Contract } from "./calls.ts";
import { compress } from "./compress.ts";
import { withSamples } from "./samples.ts";
import { selfHosted } from "./self-hosted.ts";

const app = join(import.meta.dirname, "..");
/** The licenses of what is in Redoc's bundle, under the name that the bundle gives. */
const licenses = "redoc.standalone.js.LICENSE.txt";
const repository = join(app, "../..");
const redoc = join(app, "node_modules/redoc/bundles");

/**
 * Builds the API reference into the folder, as static files that ask no other origin for anything. What was there is
 * removed. Whoever serves them should send the policy of content-security-policy.ts.
 *
 *     index.html *.css *.js           the page (src/page)
 *     redoc.js                        Redoc's standalone bundle, and the licenses of its parts
 *     reference.json                  what the page shows: the contract with code samples
 *     openapi.json openapi.yaml       the contract, to download
 *     first-webhook.arazzo.yaml       the workflow of the main job, to download
 *     *.br *.gz                       the large ones, compressed
 */
export function buildReference(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(join(import.meta.dirname, "page"), folder, { recursive: true });

  const bundled = readFileSync(fileURLToPath(import.meta.resolve("@parley/contract/openapi.json")), "utf8");
  const contract: Contract = JSON.parse(bundled);
  writeFileSync(join(folder, "openapi.json"), bundled);
  writeFileSync(join(folder, "openapi.yaml"), toYaml(contract));

  copyWorkflow("first-webhook.arazzo.yaml", folder);

  const reference = withSamples(contract, "http://127.0.0.1:8080");
  writeFileSync(join(folder, "reference.json"), JSON.stringify(reference));

  const script = readFileSync(join(redoc, "redoc.standalone.js"), "utf8");
  writeFileSync(join(folder, "redoc.js"), selfHosted(script));
  cpSync(join(redoc, licenses), join(folder, licenses));

  compress(folder);
}

/** Copies a workflow so that it names the contract beside it. */
function copyWorkflow(name: string, folder: string): void {
  const workflow = readFileSync(join(repository, "openapi/workflows", name), "utf8");
  writeFileSync(join(folder, name), workflow.replace("url: ../openapi.yaml", "url: openapi.yaml"));
}

/** The contract as YAML that readers of YAML 1.1 understand too: they would take an unquoted `2024-01-01` for a date. */
function toYaml(contract: Contract): string {
  return stringify(contract, {
    aliasDuplicateObjects: false,
    blockQuote: "literal",
    compat: "yaml-1.1",
    lineWidth: 0,
  });
}
