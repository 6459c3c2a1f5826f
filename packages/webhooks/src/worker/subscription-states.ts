import type { LeasedSubscription } from "./leased-subscription.ts";

/** Next state of a subscription after its lease was returned. */
export type Next =
  | { to: "forget" }
  /** It changed or has pending deliveries, so it is leased again. */
  | { to: "lease" }
  /** It is left to other workers for a second. */
  | { to: "leave" }
  /** A statement fails because of its data, so it is skipped for a minute. */
  | { to: "avoid" };

/** State of a subscription in a delivery worker. Other subscriptions have no state. */
type State =
  /** Has pending deliveries, and waits to be leased. */
  | { name: "announced" }
  /** The statement that takes the lease is running. */
  | { name: "leasing"; changed: boolean; pending: boolean }
  /** Leased: deliveries are fetched and sent. */
  | { name: "delivering"; leased: LeasedSubscription }
  /** Leased, but nothing more is fetched or sent; attempts in flight finish and are recorded. */
  | { name: "closing"; leased: LeasedSubscription; next: Next }
  /** Leased, but no key decrypts its secret. The lease is returned at `until`, because another worker may have the key. */
  | { name: "unreadable"; until: number; next: Next }
  /**
   * The lease is being returned. The database may not have confirmed this yet. The statement is not retried before
   * `notBefore`.
   */
  | { name: "returning"; next: Next; notBefore: number }
  /** Skipped until this time, ms since 1970. */
  | { name: "avoided"; until: number };

type StateName = State["name"];
type StateOf<Name extends StateName> = Extract<State, { name: Name }>;

type StatesByName = { [Name in StateName]: Map<string, StateOf<Name>> };

/** States of a worker's subscriptions. `set` makes all transitions between states; members of a state may change within it. docs/architecture.md has the state diagram. */
export class SubscriptionStates {
  readonly #all = new Map<string, State>();
  readonly #byName: StatesByName = {
    announced: new Map(),
    leasing: new Map(),
    delivering: new Map(),
    closing: new Map(),
    unreadable: new Map(),
    returning: new Map(),
    avoided: new Map(),
  };

  /** Sets the state of a subscription; null removes it. */
  set(id: string, state: State | null): void {
    const before = this.#all.get(id);
    if (before && before.name !== state?.name) this.#byName[before.name].delete(id);
    if (!state) {
      this.#all.delete(id);
      return;
    }
    this.#all.set(id, state);
    (this.#byName[state.name] as Map<string, State>).set(id, state);
  }

  /** Puts a subscription behind the others in its state. */
  moveToEnd(id: string): void {
    const state = this.#all.get(id);
    this.set(id, null);
    this.set(id, state ?? null);
  }

  get(id: string): State | undefined {
    return this.#all.get(id);
  }

  /** Returns the subscriptions in a state, by ID, in the order in which they entered it. */
  in<Name extends StateName>(name: Name): ReadonlyMap<string, StateOf<Name>> {
    return this.#byName[name];
  }

  /** Returns the IDs of the subscriptions that this worker leases, or may have leased. */
  leasedIds(): string[] {
    const names = ["delivering", "closing", "unreadable", "returning"] as const;
    return names.flatMap((name) => [...this.#byName[name].keys()]);
  }

  clear(): void {
    for (const id of [...this.#all.keys()]) this.set(id, null);
  }

  /** Handles a notification that a subscription has pending deliveries. @param now ms since 1970 */
  pending(id: string, now: number): void {
    const state = this.#all.get(id);
    switch (state?.name) {
      case undefined:
        this.set(id, { name: "announced" });
        return;
      case "delivering":
        state.leased.fetched.mayHaveMore = true;
        return;
      case "closing":
      case "returning":
        if (state.next.to === "forget") this.set(id, { ...state, next: { to: "lease" } });
        return;
      case "avoided":
        if (state.until <= now) this.set(id, { name: "announced" });
        return;
      case "leasing":
        state.pending = true; // If the lease is not free now, it may be free later.
        return;
      case "announced":
      case "unreadable":
    }
  }

  /** Handles a notification that a subscription was updated or deleted: it is read again. */
  changed(id: string): void {
    const state = this.#all.get(id);
    if (state?.name === "leasing") state.changed = true;
    else if (state?.name === "delivering") this.close(id, { to: "lease" });
    else if (state?.name === "unreadable") this.set(id, { ...state, until: 0, next: { to: "lease" } });
    else if (state?.name === "closing" || state?.name === "returning")
      this.set(id, { ...state, next: { to: "lease" } });
    else if (state?.name === "avoided") this.set(id, null);
  }

  /** Stops fetching and sending for a subscription that is being delivered to. */
  close(id: string, next: Next): void {
    const state = this.#all.get(id);
    if (state?.name === "delivering") {
      state.leased.fetched.clear();
      this.set(id, { name: "closing", leased: state.leased, next });
    } else if (state?.name === "closing") this.set(id, { ...state, next });
  }

  /** Checks whether the subscription is in state `delivering` under this lease. */
  isDelivering(leased: LeasedSubscription): boolean {
    const state = this.#all.get(leased.id);
    return state?.name === "delivering" && state.leased === leased;
  }

  /** Closes a subscription, unless it has been leased again. */
  closeLease(leased: LeasedSubscription, next: Next): void {
    const state = this.#all.get(leased.id);
    if (state && "leased" in state && state.leased === leased) this.close(leased.id, next);
  }

  /** Moves a subscription to `returning`. */
  startReturn(id: string, next: Next): void {
    this.set(id, { name: "returning", next, notBefore: 0 });
  }
}
