import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { events } from "@parley/contract/events";
import { stringify } from "yaml";
import type { Contract } from "./calls.ts";
import { withSamples } from "./samples.ts";
import { selfHosted } from "./self-hosted.ts";
import { listOperations, type SiteContract } from "./site/contract.ts";
import { writeDiagrams } from "./site/diagrams.ts";
import { addressOf } from "./site/page.ts";
import { pathOf } from "./site/pages/operations.ts";
import { demoServer } from "./site/read-contract.ts";
import { testVectors } from "./site/test-vectors.ts";

const app = join(import.meta.dirname, "..");
/** The licenses of the parts of Redoc's bundle. The bundle refers to this file name. */
const licenses = "redoc.standalone.js.LICENSE.txt";
const repository = join(app, "../..");
const redoc = join(app, "node_modules/redoc/bundles");

/**
 * Builds the API reference on one page as static files that load nothing from other origins. First removes the folder. Serve the files
 * with the policy of content-security-policy.ts.
 *
 *     index.html *.css *.js           the page (src/page)
 *     redoc.js                        Redoc's standalone bundle, and the licenses of its parts
 *     reference.json                  the data of the page: the contract with code samples
 *     openapi.json openapi.yaml       the contract, to download
 *     first-webhook.arazzo.yaml       a typical integration, to download
 *     signature-test-vectors.json     deliveries for tests of signatures, to download
 */
export function buildReference(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(join(import.meta.dirname, "page"), folder, { recursive: true });

  const bundled = readFileSync(fileURLToPath(import.meta.resolve("@parley/contract/openapi.json")), "utf8");
  const contract: Contract = JSON.parse(bundled);
  writeFileSync(join(folder, "openapi.json"), bundled);
  writeFileSync(join(folder, "openapi.yaml"), toYaml(contract));

  const sample = events.find(({ type }) => type === "lead.created")?.sample ?? {};
  writeFileSync(join(folder, "signature-test-vectors.json"), JSON.stringify(testVectors(sample), null, 2));
  writeDiagrams(join(folder, "diagrams"));
  copyWorkflow("first-webhook.arazzo.yaml", folder);

  const reference = withSamples(contract, demoServer);
  for (const { operation } of listOperations(reference as unknown as SiteContract)) {
    const externalDocs = {
      url: addressOf(pathOf(operation.operationId)),
      description: "This operation on its own page",
    };
    Object.assign(operation, { externalDocs });
  }
  writeFileSync(join(folder, "reference.json"), JSON.stringify(reference));

  const script = readFileSync(join(redoc, "redoc.standalone.js"), "utf8");
  writeFileSync(join(folder, "redoc.js"), selfHosted(script));
  cpSync(join(redoc, licenses), join(folder, licenses));
}

/** Copies a workflow, and changes its reference to the contract in the same folder. */
function copyWorkflow(name: string, folder: string): void {
  const workflow = readFileSync(join(repository, "openapi/workflows", name), "utf8");
  writeFileSync(join(folder, name), workflow.replace("url: ../openapi.yaml", "url: openapi.yaml"));
}

/** Returns the contract as YAML that YAML 1.1 parsers also read correctly: an unquoted `2024-01-01` would be a date. */
function toYaml(contract: Contract): string {
  return stringify(contract, {
    aliasDuplicateObjects: false,
    blockQuote: "literal",
    compat: "yaml-1.1",
    lineWidth: 0,
  });
}
