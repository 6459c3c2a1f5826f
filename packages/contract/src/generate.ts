/** Writes, from the bundled contract beside them, its types and the list of events that integrations are bundled with. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listEvents, type WebhookObject } from "./list-events.ts";
import { schemaTypes } from "./schema-types.ts";

const folder = join(import.meta.dirname, "generated");
const contract = readFileSync(join(folder, "openapi.json"), "utf8");

writeFileSync(join(folder, "openapi.ts"), await schemaTypes(contract, { defaultsApplied: true }));
writeFileSync(join(folder, "events.ts"), events(contract));

function events(text: string): string {
  const { webhooks }: { webhooks: Record<string, WebhookObject> } = JSON.parse(text);
  const type = 'import type { ListedEvent } from "../list-events.ts";\n\nexport type { ListedEvent };\n';
  return `${type}export const events: ListedEvent[] = ${JSON.stringify(listEvents(webhooks), null, 2)};\n`;
}
