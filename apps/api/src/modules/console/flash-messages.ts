import { type Database, hashToken } from "@parley/database";
import type { SecretBox } from "@parley/webhooks";

/** Values of a rejected form by field, which the next page shows in its fields again. */
export type Typed = Record<string, string>;

/** Reason why the value of a field was rejected. */
export interface Problem {
  field: string;
  message: string;
}

/** Result of a form, shown once by the next page. */
export interface FlashMessage {
  /** Confirmation of a success. */
  done?: string;
  /** A new client secret or signing secret. */
  secret?: string;
  /** Reasons of a rejection. */
  problems?: Problem[];
  typed?: Typed;
  /** Whether a URL could be reached, and the reason. */
  check?: { reachable: boolean; text: string };
}

export interface FlashMessages {
  /** Stores the message for the next page at `address` in the session. */
  add(sessionSecret: string, address: string, message: FlashMessage): Promise<void>;
  /** Returns and removes the message. Only one of several concurrent calls gets it. */
  take(sessionSecret: string, address: string): Promise<FlashMessage | undefined>;
}

interface Stored {
  address: string;
  createdAt: number;
  message: FlashMessage;
}

const lifetimeMs = 10 * 60_000;
const maxStored = 10;

/**
 * Creates the storage of flash messages in the session. There is one message per address, because forms may be open in
 * several tabs. Messages are encrypted, because a message may contain a secret.
 */
export function createFlashMessages(db: Database, secretBox: SecretBox, clock: () => number): FlashMessages {
  /** Replaces or removes the message of an address and returns the old one. Locks the session row. */
  async function replace(tokenHash: Uint8Array<ArrayBuffer>, address: string, message?: FlashMessage) {
    const owner = `session ${Buffer.from(tokenHash).toString("hex")}`;
    return db.$transaction(async (tx) => {
      const [session] = await tx.$queryRaw<{ message: Uint8Array | null }[]>`
        SELECT message FROM user_sessions WHERE token_hash = ${tokenHash} FOR UPDATE`;
      const stored = session?.message ? read(session.message, owner) : [];
      const kept = stored.filter((one) => one.address !== address);
      if (message) kept.push({ address, createdAt: clock(), message });
      const encrypted =
        kept.length > 0 ? secretBox.encrypt(JSON.stringify(kept.slice(-maxStored)), owner) : null;
      await tx.userSession.updateMany({ where: { tokenHash }, data: { message: encrypted } });
      return stored.find((one) => one.address === address)?.message;
    });
  }

  /**
   * Decrypts the messages. Ignores messages that cannot be decrypted, for example after a key change, so that the page
   * still works.
   */
  function read(encrypted: Uint8Array, owner: string): Stored[] {
    try {
      const stored: Stored[] = JSON.parse(secretBox.decrypt(encrypted, owner));
      return stored.filter(({ createdAt }) => createdAt > clock() - lifetimeMs);
    } catch {
      return [];
    }
  }

  return {
    async add(sessionSecret, address, message) {
      await replace(hashToken(sessionSecret), address, message);
    },

    async take(sessionSecret, address) {
      const tokenHash = hashToken(sessionSecret);
      // Most pages have no message, so check first without a lock.
      const session = await db.userSession.findUnique({ where: { tokenHash }, select: { message: true } });
      return session?.message ? replace(tokenHash, address) : undefined;
    },
  };
}
