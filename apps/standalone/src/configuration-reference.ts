/**
 * Writes docs/configuration.md from the descriptions of the variables.
 *
 *     npm run configuration
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { apiVariables } from "@parley/api/config";
import { defaultOf, markdownExampleOf, meaningOf, secretNames } from "@parley/config";
import { workerVariables } from "@parley/worker/config";
import type { z } from "zod";
import { standaloneVariables } from "./config.ts";

export const referenceFile = join(import.meta.dirname, "../../../docs/configuration.md");

type Variables = Record<string, z.ZodType>;

/** Returns the text of docs/configuration.md. */
export function configurationReference(): string {
  return `# Configuration

You configure Parley with environment variables. An empty variable counts as not set. If a variable is missing or invalid, the
process prints its name and the reason, and does not start.

## Secrets in files

Every variable that is or may contain a secret can also be read from a file, for example from a secret of Docker or Kubernetes. Add
\`_FILE\` to its name and set it to the path of the file, for example \`DATABASE_URL_FILE=/run/secrets/database_url\`:

${fileVariables()}

The process reads the file when it starts, and removes the line break at its end. It does not start if both variables are set, or if the
file is missing, unreadable, empty, not UTF-8 text or larger than 64 KiB. The error names the variable and the path, and never shows the
content. \`parley-admin\` reads \`DATABASE_URL_FILE\` too.

## \`npm start\`: all in one process

\`npm start\` uses the variables of the API and the worker. These variables differ or exist only here.

${table(onlyDifferent(standaloneVariables))}

## The API: \`node_modules/.bin/node apps/api/src/main.mjs\`

${table(apiVariables)}

## The worker: \`node_modules/.bin/node apps/worker/src/main.mjs\`

${table(workerVariables)}
`;
}

function fileVariables(): string {
  return secretNames(standaloneVariables)
    .map((name) => `- \`${name}_FILE\``)
    .join("\n");
}

function onlyDifferent(variables: Variables): Variables {
  const shared: Variables = { ...workerVariables, ...apiVariables };
  return Object.fromEntries(Object.entries(variables).filter(([name, schema]) => shared[name] !== schema));
}

function table(variables: Variables): string {
  const rows = Object.entries(variables).map(
    ([name, schema]) =>
      `| \`${name}\` | ${defaultColumn(schema)} | ${markdownExampleOf(schema)} | ${meaningOf(schema)} |`,
  );
  return ["| Variable | Default | Example | Description |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function defaultColumn(schema: z.ZodType): string {
  const value = defaultOf(schema) ?? "required";
  return value === "" || value === "required" ? value : `\`${value}\``;
}

if (process.argv[1] === import.meta.filename) writeFileSync(referenceFile, configurationReference());
