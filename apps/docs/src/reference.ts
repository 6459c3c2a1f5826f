import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Contract } from "./calls.ts";
import { compress } from "./compress.ts";
import { withSamples } from "./samples.ts";
import { selfHosted } from "./self-hosted.ts";

const app = join(import.meta.dirname, "..");
/** The licenses of what is in Redoc's bundle, under the name that the bundle gives. */
const licenses = "redoc.standalone.js.LICENSE.txt";
const repository = join(app, "../..");
const redocly = join(app, "node_modules/@redocly/cli/bin/cli.js");
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

  bundleContract(join(folder, "openapi.json"));
  bundleContract(join(folder, "openapi.yaml"));

  copyWorkflow("first-webhook.arazzo.yaml", folder);

  const contract = JSON.parse(readFileSync(join(folder, "openapi.json"), "utf8")) as Contract;
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

/** Writes the contract as one file; the extension says the format. */
export function bundleContract(file: string, source = "openapi/openapi.yaml"): void {
  execFileSync(process.execPath, [redocly, "bundle", source, "--output", file], {
    cwd: repository,
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  });
}
