/**
 * Writes, from the bundled descriptions next to them, their types for servers and for clients, and the list of events that
 * integrations are bundled with.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { listEvents, type WebhookObject } from "./list-events.ts";
import { declareSchemas } from "./named-schemas.ts";

const folder = join(import.meta.dirname, "generated");
const contract = readFileSync(join(folder, "openapi.json"), "utf8");

/** A list that may grow: the values known today, see `x-extensible-enum`. */
const known = (values: string[]) =>
  values.map((value) => ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(value)));
/** Any string. Written this way, editors still suggest the known values. */
const anyOther = ts.factory.createParenthesizedType(
  ts.factory.createIntersectionTypeNode([
    ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
    ts.factory.createTypeLiteralNode([]),
  ]),
);

// A server sends the known values only; a client may receive others.
await writeTypes("openapi.ts", contract, known);
await writeTypes("openapi-client.ts", contract, (values) => [...known(values), anyOther]);
await writeTypes("pages.ts", readFileSync(join(folder, "pages.json"), "utf8"), known);
writeFileSync(join(folder, "events.ts"), events(contract));

function events(text: string): string {
  const { webhooks }: { webhooks: Record<string, WebhookObject> } = JSON.parse(text);
  const type = 'import type { ListedEvent } from "../list-events.ts";\n\nexport type { ListedEvent };\n';
  return `${type}export const events: ListedEvent[] = ${JSON.stringify(listEvents(webhooks), null, 2)};\n`;
}

async function writeTypes(
  file: string,
  description: string,
  extensible: (values: string[]) => ts.TypeNode[],
): Promise<void> {
  const nodes = await openapiTS(description, {
    defaultNonNullable: false,
    transform(schema) {
      const values = (schema as { "x-extensible-enum"?: string[] })["x-extensible-enum"];
      return values && ts.factory.createUnionTypeNode(extensible(values));
    },
  });
  writeFileSync(join(folder, file), plainComments(astToString(declareSchemas(nodes))));
}

/** Leaves out what the type says already, so that editors show the description as a sentence. */
function plainComments(text: string): string {
  return text
    .replace(/^ +\* (Format: .*|@enum \{\w+\})\n/gm, "")
    .replace(/@description | \(enum property replaced by openapi-typescript\)/g, "")
    .replace(/^( +\*) {5}/gm, "$1 ");
}
