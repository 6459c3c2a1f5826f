/** Writes, from the bundled contract beside them, its types for servers and for clients, and the list of events that integrations are bundled with. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";
import { listEvents, type WebhookObject } from "./list-events.ts";

const folder = join(import.meta.dirname, "generated");
const contract = readFileSync(join(folder, "openapi.json"), "utf8");

// A server reads a body after validation has filled in the defaults; a client may leave them out.
await writeTypes("openapi.ts", { defaultNonNullable: true });
await writeTypes("openapi-client.ts", { defaultNonNullable: false });
writeFileSync(join(folder, "events.ts"), events(contract));

function events(text: string): string {
  const { webhooks }: { webhooks: Record<string, WebhookObject> } = JSON.parse(text);
  const type = 'import type { ListedEvent } from "../list-events.ts";\n\nexport type { ListedEvent };\n';
  return `${type}export const events: ListedEvent[] = ${JSON.stringify(listEvents(webhooks), null, 2)};\n`;
}

async function writeTypes(file: string, options: { defaultNonNullable: boolean }): Promise<void> {
  writeFileSync(join(folder, file), astToString(await openapiTS(contract, options)));
}
