import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDataFolder } from "@parley/embedded-postgres";

/** The key that `dataDir` keeps, in base64; made at the first start and readable by its owner alone. */
export function keptEncryptionKey(dataDir: string): string {
  return kept(dataDir, "encryption.key", () => randomBytes(32).toString("base64"));
}

/** The file of the chatbot platform's key. */
export const platformKeyFile = "platform.key";

/** The platform key that `dataDir` keeps; made at the first start and readable by its owner alone. */
export function keptPlatformKey(dataDir: string): string {
  return kept(dataDir, platformKeyFile, () => `parley_pk_${randomBytes(32).toString("hex")}`);
}

function kept(dataDir: string, name: string, make: () => string): string {
  const file = join(openDataFolder(dataDir), name);
  try {
    writeFileSync(file, `${make()}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return readFileSync(file, "utf8").trim();
}
