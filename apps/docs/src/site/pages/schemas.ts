import type { Schema, SiteContract } from "../contract.ts";
import { addressOf, type Page, summaryOf, table } from "../page.ts";
import { fieldTable, typeOf } from "../schema-table.ts";
import { operationsWith, pathOf } from "./operations.ts";

/** Returns a page for each named schema, after a page that lists them. */
export function schemaPages(contract: SiteContract): Page[] {
  const pages = Object.entries(contract.components.schemas).map(([name, schema]) =>
    schemaPage(contract, name, schema),
  );
  pages.sort((a, b) => a.title.localeCompare(b.title, "en"));
  const rows = pages.map(({ title, path, description }) => [`[${title}](${addressOf(path)})`, description]);
  return [
    {
      path: "schemas",
      title: "Schemas",
      description: "All schemas of requests, responses and events.",
      section: "Schemas",
      group: "Schemas",
      label: "All schemas",
      markdown: table(["Schema", "Description"], rows),
    },
    ...pages,
  ];
}

function schemaPage(contract: SiteContract, name: string, schema: Schema): Page {
  const { description = "", anyOf, oneOf = anyOf } = schema;
  const values = schema.enum ?? schema["x-extensible-enum"];
  const events = Object.entries(contract.webhooks)
    .filter(([, { post }]) => JSON.stringify(post.requestBody).includes(`/schemas/${name}"`))
    .map(([type]) => `[\`${type}\`](${addressOf(`events/${type}`)})`);
  const operations = operationsWith(contract, name).map(
    ({ operation }) => `[${operation.summary}](${addressOf(pathOf(operation.operationId))})`,
  );
  const fields = fieldTable(contract, schema);
  const parts = [
    description,
    values ? `Values: ${values.map((value) => `\`${String(value)}\``).join(", ")}.` : "",
    oneOf ? `One of:\n\n${oneOf.map((part) => `- ${typeOf(contract, part)}`).join("\n")}` : "",
    fields && `## Fields\n\n${fields}`,
    events.length > 0 ? `## Events\n\n${events.join(", ")}` : "",
    operations.length > 0 ? `## Used by\n\n${operations.map((link) => `- ${link}`).join("\n")}` : "",
  ];
  return {
    path: `schemas/${name}`,
    title: name,
    description: summaryOf(description) || `Schema ${name}.`,
    section: "Schemas",
    group: "Schemas",
    label: name,
    markdown: parts.filter(Boolean).join("\n\n"),
  };
}
