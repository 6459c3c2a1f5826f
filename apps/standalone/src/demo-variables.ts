import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { storedWebhookSecret } from "./stored-secrets.ts";

/**
 * Writes the environment variables with which the SDK and the command line use the demo, for `node --env-file`. Only the owner
 * can read the file.
 *
 * @returns path of the file
 */
export function writeDemoVariables(dataDir: string, url: string, token: string): string {
  const file = join(dataDir, "demo.env");
  const variables = {
    PARLEY_URL: url,
    PARLEY_TOKEN: token,
    PARLEY_WEBHOOK_SECRET: storedWebhookSecret(dataDir),
  };
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(file, lines.join(""), { mode: 0o600 });
  return file;
}
