/**
 * Generates types for servers and clients from the bundled OpenAPI descriptions, and the list of events that integrations
 * bundle.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { listEvents, type WebhookObject } from "./list-events.ts";
import { declareSchemas } from "./named-schemas.ts";

const folder = join(import.meta.dirname, "generated");
const contract = readFileSync(join(folder, "openapi.json"), "utf8");

interface Schema {
  $ref?: string;
  description?: string;
  properties?: Record<string, Schema>;
}

/** Literal types of the known values of an `x-extensible-enum`. */
const known = (values: string[]) =>
  values.map((value) => ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(value)));
/** `(string & {})`: any string. In a union with literals, editors still suggest the literals. */
const anyOther = ts.factory.createParenthesizedType(
  ts.factory.createIntersectionTypeNode([
    ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
    ts.factory.createTypeLiteralNode([]),
  ]),
);

// A server sends only the known values; a client can receive others.
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
  const nodes = await openapiTS(withReferencesDescribed(description), {
    defaultNonNullable: false,
    transform(schema) {
      const values = (schema as { "x-extensible-enum"?: string[] })["x-extensible-enum"];
      return values && ts.factory.createUnionTypeNode(extensible(values));
    },
  });
  writeFileSync(join(folder, file), plainComments(astToString(declareSchemas(nodes))));
}

/** Copies the description of a schema to each property that only references it, because editors show it on hover. */
function withReferencesDescribed(text: string): string {
  const description: { components: { schemas: Record<string, Schema> } } = JSON.parse(text);
  const { schemas } = description.components;
  for (const { properties = {} } of Object.values(schemas)) {
    for (const property of Object.values(properties)) {
      const referenced = schemas[property.$ref?.split("/").at(-1) ?? ""]?.description;
      if (referenced) property.description ??= referenced;
    }
  }
  return JSON.stringify(description);
}

/** Removes from the comments what the types already say, so that editors show only the descriptions. */
function plainComments(text: string): string {
  return text
    .replace(/^ +\* (Format: .*|@enum \{\w+\})\n/gm, "")
    .replace(/@description | \(enum property replaced by openapi-typescript\)/g, "")
    .replace(/^( +\*) {5}/gm, "$1 ");
}
