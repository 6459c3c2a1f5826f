import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDataFolder } from "@parley/embedded-postgres";

/** Returns the encryption key stored in `dataDir`, in base64. Creates it at the first start, readable only by its owner. */
export function storedEncryptionKey(dataDir: string): string {
  return readOrCreate(dataDir, "encryption.key", () => randomBytes(32).toString("base64"));
}

/** Name of the file with the platform key. */
export const platformKeyFile = "platform.key";

/** Returns the platform key stored in `dataDir`. Creates it at the first start, readable only by its owner. */
export function storedPlatformKey(dataDir: string): string {
  return readOrCreate(dataDir, platformKeyFile, () => `parley_pk_${randomBytes(32).toString("hex")}`);
}

/** Returns the secret with which the command line signs events for programs on this machine. Creates it at the first start. */
export function storedWebhookSecret(dataDir: string): string {
  return readOrCreate(dataDir, "webhook.secret", () => `parley_ws_${randomBytes(32).toString("base64url")}`);
}

function readOrCreate(dataDir: string, name: string, create: () => string): string {
  const file = join(openDataFolder(dataDir), name);
  try {
    writeFileSync(file, `${create()}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return readFileSync(file, "utf8").trim();
}
