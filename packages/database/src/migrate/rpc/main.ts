// Stands in for Prisma's native schema engine, which Prisma's CLI starts (see prisma.config.ts) as one of
//   schema-engine --version
//   schema-engine --datasource <json> cli can-connect-to-database | create-database
//   schema-engine [--datamodels <file>]… --datasource <json>
// The last one speaks JSON-RPC on stdin and stdout.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createDatabase, tryConnection } from "./connect.ts";
import { describeError, logError } from "./errors.ts";
import { serve } from "./serve.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    version: { type: "boolean" },
    datasource: { type: "string", default: "{}" },
    datamodels: { type: "string", multiple: true, default: [] },
    "enabled-preview-features": { type: "string" }, // Not for this engine to know.
    "extension-types": { type: "string" },
  },
});
const { url = "" } = JSON.parse(values.datasource) as { url?: string };

try {
  if (values.version) console.log("schema-engine-wasm");
  else if (positionals[1] === "can-connect-to-database") await tryConnection(url);
  else if (positionals[1] === "create-database") await createDatabase(url);
  else {
    const datamodels = values.datamodels.map((file): [string, string] => [file, readFileSync(file, "utf8")]);
    await serve(url, datamodels);
  }
} catch (error) {
  logError(describeError(error));
  process.exitCode = 1;
}
