/**
 * Generates from the bundled OpenAPI descriptions: types for servers and clients, the list of events for integrations,
 * the examples for the SDK, and the read operations for the command line.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { listEvents } from "./list-events.ts";
import { listExamples } from "./list-examples.ts";
import { listReadOperations } from "./list-read-operations.ts";
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
const parsed = JSON.parse(contract);
writeList("events", "ListedEvent", "../list-events.ts", listEvents(parsed.webhooks));
writeList("readOperations", "ReadOperation", "../list-read-operations.ts", listReadOperations(parsed));
// Without an import, because the SDK copies this file.
const example = "{ readonly status: number; readonly body: unknown }";
const operation = `${example} & { readonly method: string; readonly path: string }`;
writeFileSync(
  join(folder, "examples.ts"),
  Object.entries(listExamples(parsed))
    .map(([name, value]) => {
      const type = { events: "unknown", operations: operation, errors: example }[name];
      return `export const ${name}: { readonly [name: string]: ${type} } = ${JSON.stringify(value, null, 2)};\n`;
    })
    .join("\n"),
);

/** Writes a module that exports a list and the type of its items. */
function writeList(name: string, type: string, from: string, list: unknown[]): void {
  const head = `import type { ${type} } from "${from}";\n\nexport type { ${type} };\n`;
  const file = `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`;
  writeFileSync(
    join(folder, file),
    `${head}export const ${name}: ${type}[] = ${JSON.stringify(list, null, 2)};\n`,
  );
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
