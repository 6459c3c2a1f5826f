/** Writes src/generated/schema.ts: the types of the contract, so that the package needs nothing else of this repository. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { schemaTypes } from "@parley/contract/schema-types";

const contract = readFileSync(fileURLToPath(import.meta.resolve("@parley/contract/openapi.json")), "utf8");
const folder = join(import.meta.dirname, "../src/generated");
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "schema.ts"), await schemaTypes(contract, { defaultsApplied: false }));
