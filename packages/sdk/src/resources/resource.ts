import type { Session } from "../session.ts";

/** Base class of the resources. */
export abstract class Resource {
  /** @internal */
  protected readonly session: Session;

  /** @internal */
  constructor(session: Session) {
    this.session = session;
  }
}
