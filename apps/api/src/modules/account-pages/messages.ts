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
const maxLetters = 10;

interface Letter {
  address: string;
  writtenAt: number;
  message: Message;
}

/**
 * Kept with the session, sealed and bound to it, one for each address: another tab may wait for its own. A cookie would be too
 * small for what was typed, and would go on holding a secret that was to be shown once.
 */
export function createMessages(db: Database, secretBox: SecretBox, clock: () => number): Messages {
  /** Of several changes of one session's letters, one waits for the other. */
  async function change(
    tokenHash: Uint8Array<ArrayBuffer>,
    edit: (letters: Letter[]) => Letter[],
  ): Promise<void> {
    const whose = owner(tokenHash);
    await db.$transaction(async (tx) => {
      const [session] = await tx.$queryRaw<{ message: Uint8Array | null }[]>`
        SELECT message FROM user_sessions WHERE token_hash = ${tokenHash} FOR UPDATE`;
      const letters = session?.message ? open(secretBox, session.message, whose) : [];
      const kept = edit(letters.filter(({ writtenAt }) => writtenAt > clock() - lifetimeMs));
      const message = kept.length > 0 ? secretBox.seal(JSON.stringify(kept), whose) : null;
      await tx.userSession.updateMany({ where: { tokenHash }, data: { message } });
    });
  }
  const except = (letters: Letter[], address: string) =>
    letters.filter((letter) => letter.address !== address);

  return {
    async leave(sessionSecret, address, message) {
      const letter: Letter = { address, writtenAt: clock(), message };
      await change(hashToken(sessionSecret), (letters) =>
        [...except(letters, address), letter].slice(-maxLetters),
      );
    },

    async take(sessionSecret, address) {
      const tokenHash = hashToken(sessionSecret);
      const session = await db.userSession.findUnique({ where: { tokenHash }, select: { message: true } });
      if (!session?.message) return undefined;
      let message: Message | undefined;
      await change(tokenHash, (letters) => {
        message = letters.find((letter) => letter.address === address)?.message;
        return except(letters, address);
      });
      return message;
    },
  };
}

function owner(tokenHash: Uint8Array): string {
  return `session ${Buffer.from(tokenHash).toString("hex")}`;
}

/** What was sealed with a key that is no longer used is lost, and no reason to show no page. */
function open(secretBox: SecretBox, sealed: Uint8Array, whose: string): Letter[] {
  try {
    const letters: unknown = JSON.parse(secretBox.open(sealed, whose));
    return Array.isArray(letters) ? letters : []; // An earlier version kept a single one.
  } catch {
    return [];
  }
}
