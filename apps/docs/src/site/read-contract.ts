import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { withSamples } from "../samples.ts";
import type { SiteContract } from "./contract.ts";

/** Address of the local demo, which the server replaces with its own address. */
export const demoServer = "http://127.0.0.1:8080";

/** Reads the bundled contract and adds the code samples of every operation. */
export function readContract(): SiteContract {
  const text = readFileSync(fileURLToPath(import.meta.resolve("@parley/contract/openapi.json")), "utf8");
  return withSamples(JSON.parse(text), demoServer) as unknown as SiteContract;
}
