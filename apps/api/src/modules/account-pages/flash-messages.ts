import { type Database, hashToken } from "@parley/database";
import type { Problem } from "@parley/database/accounts";
import type { SecretBox } from "@parley/webhooks";

/** Values of the fields of a refused form. */
export type Typed = Partial<Record<"name" | "redirect_uris" | "kind", string>>;

/** Result of a form, which the next page shows once. */
export interface FlashMessage {
  /** What was done. */
  done?: string;
  /** A new client secret. */
  secret?: string;
  /** Why nothing was done. */
  problems?: Problem[];
  typed?: Typed;
}

export interface FlashMessages {
  /** Stores the message for the next page at `address` in the session. */
  add(sessionSecret: string, address: string, message: FlashMessage): Promise<void>;
  /** Returns and removes the message. Of two calls at once, one gets it. */
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
 * Stores flash messages with the session: one per address, because several tabs may wait for theirs. They are encrypted, because
 * one may hold a client secret that is shown once.
 */
export function createFlashMessages(db: Database, secretBox: SecretBox, clock: () => number): FlashMessages {
  /** Replaces the message of an address, or removes it; returns the old one. Locks the session. */
  async function replace(tokenHash: Uint8Array<ArrayBuffer>, address: string, message?: FlashMessage) {
    const owner = `session ${Buffer.from(tokenHash).toString("hex")}`;
    return db.$transaction(async (tx) => {
      const [session] = await tx.$queryRaw<{ message: Uint8Array | null }[]>`
        SELECT message FROM user_sessions WHERE token_hash = ${tokenHash} FOR UPDATE`;
      const stored = session?.message ? read(session.message, owner) : [];
      const kept = stored.filter((one) => one.address !== address);
      if (message) kept.push({ address, createdAt: clock(), message });
      const sealed = kept.length > 0 ? secretBox.seal(JSON.stringify(kept.slice(-maxStored)), owner) : null;
      await tx.userSession.updateMany({ where: { tokenHash }, data: { message: sealed } });
      return stored.find((one) => one.address === address)?.message;
    });
  }

  /** Messages that cannot be decrypted any more are dropped, so that their page is still shown. */
  function read(sealed: Uint8Array, owner: string): Stored[] {
    try {
      const stored: Stored[] = JSON.parse(secretBox.open(sealed, owner));
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
      // Most pages have no message, and need no lock.
      const session = await db.userSession.findUnique({ where: { tokenHash }, select: { message: true } });
      return session?.message ? replace(tokenHash, address) : undefined;
    },
  };
}
