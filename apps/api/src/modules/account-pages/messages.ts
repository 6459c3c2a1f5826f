import { type Database, hashToken } from "@parley/database";
import type { Problem } from "@parley/database/accounts";
import type { SecretBox } from "@parley/webhooks";

/** What the fields of a form held when it was refused. */
export type Typed = Partial<Record<"name" | "redirect_uris" | "kind", string>>;

/** What came of a form, for the page after it. */
export interface Message {
  /** What was done. */
  done?: string;
  /** A new client secret. */
  secret?: string;
  /** Why nothing was done. */
  problems?: Problem[];
  typed?: Typed;
}

export interface Messages {
  /** Leaves a message for the next page at `address` of the browser with this session secret. */
  leave(sessionSecret: string, address: string, message: Message): Promise<void>;
  /** Takes it, once: of two that ask, one gets it. */
  take(sessionSecret: string, address: string): Promise<Message | undefined>;
}

const lifetimeMs = 10 * 60_000;

interface Letter {
  address: string;
  writtenAt: number;
  message: Message;
}

/**
 * Kept with the session, sealed and bound to it. A cookie would be too small for what was typed, and would go on holding a
 * secret that was to be shown once.
 */
export function createMessages(db: Database, secretBox: SecretBox, clock: () => number): Messages {
  return {
    async leave(sessionSecret, address, message) {
      const tokenHash = hashToken(sessionSecret);
      const letter: Letter = { address, writtenAt: clock(), message };
      const sealed = secretBox.seal(JSON.stringify(letter), owner(tokenHash));
      await db.userSession.updateMany({ where: { tokenHash }, data: { message: sealed } });
    },

    async take(sessionSecret, address) {
      const tokenHash = hashToken(sessionSecret);
      const session = await db.userSession.findUnique({ where: { tokenHash }, select: { message: true } });
      if (!session?.message) return undefined;
      const letter = open(secretBox, session.message, owner(tokenHash));
      if (letter && letter.address !== address) return undefined;
      const where = { tokenHash, message: session.message };
      const { count } = await db.userSession.updateMany({ where, data: { message: null } });
      return count === 1 && letter && letter.writtenAt > clock() - lifetimeMs ? letter.message : undefined;
    },
  };
}

function owner(tokenHash: Uint8Array): string {
  return `session ${Buffer.from(tokenHash).toString("hex")}`;
}

/** What was sealed with a key that is no longer used is lost, and no reason to show no page. */
function open(secretBox: SecretBox, sealed: Uint8Array, whose: string): Letter | undefined {
  try {
    return JSON.parse(secretBox.open(sealed, whose)) as Letter;
  } catch {
    return undefined;
  }
}
