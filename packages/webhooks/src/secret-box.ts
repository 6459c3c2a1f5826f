import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";

const ivBytes = 12;
const tagBytes = 16;
const version = 1;

/**
 * Encrypts secrets at rest with AES-256-GCM: signing secrets, stored responses, flash messages. Each is bound to its owner, for
 * example an organization's ID, and cannot be decrypted for another owner. Format, in bytes: `version (1) · iv (12) · tag (16) ·
 * ciphertext`.
 */
export interface SecretBox {
  /** Whether there are keys that are used only for decryption. */
  readonly hasOldKeys: boolean;
  /** Encrypts a secret. */
  encrypt(secret: string, owner: string): Uint8Array<ArrayBuffer>;
  /**
   * Decrypts a secret.
   *
   * @throws Error if no key matches, or the value was modified or belongs to another owner
   */
  decrypt(encrypted: Uint8Array, owner: string): string;
  /** Returns the HMAC-SHA256 of a text with a key that is derived from the current one. */
  fingerprint(text: string, owner: string): Uint8Array<ArrayBuffer>;
  /**
   * Re-encrypts a secret with the current key; returns null if it is already encrypted with that key.
   *
   * @throws Error like `decrypt`
   */
  reencrypt(encrypted: Uint8Array, owner: string): Uint8Array<ArrayBuffer> | null;
}

/**
 * Creates a secret box.
 *
 * @param key 32 bytes; encrypts and decrypts
 * @param oldKeys only decrypt; tried in order until the authentication tag matches
 */
export function createSecretBox(key: Uint8Array, oldKeys: Uint8Array[] = []): SecretBox {
  function encrypt(secret: string, owner: string): Uint8Array<ArrayBuffer> {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(owner));
    const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
    return new Uint8Array(Buffer.concat([Buffer.from([version]), iv, cipher.getAuthTag(), text]));
  }

  function decryptWithAny(encrypted: Uint8Array, owner: string) {
    let refusal: unknown;
    for (const candidate of [key, ...oldKeys]) {
      try {
        return { secret: decryptWith(candidate, encrypted, owner), isCurrent: candidate === key };
      } catch (error) {
        refusal ??= error;
      }
    }
    throw refusal;
  }

  return {
    hasOldKeys: oldKeys.length > 0,
    encrypt,
    decrypt: (encrypted, owner) => decryptWithAny(encrypted, owner).secret,
    fingerprint(text, owner) {
      const derived = createHmac("sha256", key).update("fingerprint").digest();
      return new Uint8Array(createHmac("sha256", derived).update(`${owner}\n${text}`).digest());
    },
    reencrypt(encrypted, owner) {
      const { secret, isCurrent } = decryptWithAny(encrypted, owner);
      return isCurrent ? null : encrypt(secret, owner);
    },
  };
}

function decryptWith(key: Uint8Array, encrypted: Uint8Array, owner: string): string {
  const bytes = Buffer.from(encrypted);
  if (bytes[0] !== version) throw new Error(`unknown version of an encrypted secret: ${bytes[0]}`);
  const iv = bytes.subarray(1, 1 + ivBytes);
  const tag = bytes.subarray(1 + ivBytes, 1 + ivBytes + tagBytes);
  const decipher = createDecipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(owner)).setAuthTag(tag);
  const text = bytes.subarray(1 + ivBytes + tagBytes);
  return Buffer.concat([decipher.update(text), decipher.final()]).toString("utf8");
}

/** Creates a signing secret of 256 random bits. */
export function createSigningSecret(): string {
  return `parley_ws_${randomBytes(32).toString("base64url")}`;
}
