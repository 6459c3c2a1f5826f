/**
 * Writes everything that is generated from openapi/: the bundled description, the server's types and the SDK's, and the
 * list of events that integrations are bundled with.
 *
 *     node src/generate.ts            writes the files
 *     node src/generate.ts --check    writes nothing; fails and names the files that are stale
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";
import { listEvents, type WebhookObject } from "./list-events.ts";

const repository = join(import.meta.dirname, "../../..");
const header =
  "// Generated from openapi/ by `npm run generate`. Change the description there, not this file.\n\n";

function bundle(): string {
  const folder = mkdtempSync(join(tmpdir(), "parley-contract-"));
  try {
    const file = join(folder, "openapi.json");
    execFileSync("redocly", ["bundle", "openapi/openapi.yaml", "--output", file], {
      cwd: repository,
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    });
    return readFileSync(file, "utf8");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** `defaultsApplied`: the server sees a body after its defaults were filled in, a caller may leave them out. */
async function types(description: string, defaultsApplied: boolean): Promise<string> {
  return header + astToString(await openapiTS(description, { defaultNonNullable: defaultsApplied }));
}

function events(description: string): string {
  const { webhooks }: { webhooks: Record<string, WebhookObject> } = JSON.parse(description);
  const list = JSON.stringify(listEvents(webhooks), null, 2);
  const type = 'import type { ListedEvent } from "../list-events.ts";\n\nexport type { ListedEvent };\n';
  return `${header}${type}export const events: ListedEvent[] = ${list};\n`;
}

const description = bundle();
const files: [path: string, text: string][] = [
  ["packages/contract/src/generated/openapi.json", description],
  ["packages/contract/src/generated/openapi.ts", await types(description, true)],
  ["packages/contract/src/generated/events.ts", events(description)],
  ["packages/sdk/src/schema.ts", await types(description, false)],
];

if (process.argv.includes("--check")) {
  const stale = files.filter(([path, text]) => readCurrent(path) !== text).map(([path]) => path);
  if (stale.length > 0) {
    console.error(`Stale, run \`npm run generate\`:\n  ${stale.join("\n  ")}`);
    process.exitCode = 1;
  }
} else {
  for (const [path, text] of files) {
    writeFileSync(join(repository, path), text);
    console.log(`wrote ${relative(process.cwd(), join(repository, path))}`);
  }
}

function readCurrent(path: string): string | undefined {
  try {
    return readFileSync(join(repository, path), "utf8");
  } catch {
    return undefined;
  }
}
