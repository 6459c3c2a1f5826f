/**
 * Writes docs/configuration.md from the variables' own descriptions.
 *
 *     npm run configuration
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { apiVariables } from "@parley/api/config";
import { defaultOf, meaningOf } from "@parley/config";
import { workerVariables } from "@parley/worker/config";
import type { z } from "zod";
import { standaloneVariables } from "./config.ts";

export const referenceFile = join(import.meta.dirname, "../../../docs/configuration.md");

type Variables = Record<string, z.ZodType>;

/** The whole text of docs/configuration.md. */
export function configurationReference(): string {
  return `# Configuration

Everything is configured by environment variables. One that is empty counts as one that is not set. A process that finds
a variable missing or wrong names it and does not start.

This file is written by \`npm run configuration\`; a test fails when it is out of date.

## \`npm start\`: everything in one process

Takes the variables of the API and the worker; these differ or are its own.

${table(onlyDifferent(standaloneVariables))}

## The API: \`node_modules/.bin/node apps/api/src/main.mjs\`

${table(apiVariables)}

## The worker: \`node_modules/.bin/node apps/worker/src/main.mjs\`

${table(workerVariables)}
`;
}

function onlyDifferent(variables: Variables): Variables {
  const shared: Variables = { ...workerVariables, ...apiVariables };
  return Object.fromEntries(Object.entries(variables).filter(([name, schema]) => shared[name] !== schema));
}

function table(variables: Variables): string {
  const rows = Object.entries(variables).map(
    ([name, schema]) => `| \`${name}\` | ${defaultColumn(schema)} | ${meaningOf(schema)} |`,
  );
  return ["| Variable | Default | Meaning |", "| --- | --- | --- |", ...rows].join("\n");
}

function defaultColumn(schema: z.ZodType): string {
  const value = defaultOf(schema) ?? "required";
  return value === "" || value === "required" ? value : `\`${value}\``;
}

if (process.argv[1] === import.meta.filename) writeFileSync(referenceFile, configurationReference());
