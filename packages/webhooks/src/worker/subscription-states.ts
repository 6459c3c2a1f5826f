import type { LeasedSubscription } from "./leased-subscription.ts";

/** What happens to a subscription when its lease was returned. */
export type Next =
  | { to: "forget" }
  /** It changed, or has pending deliveries: it is leased again. */
  | { to: "lease" }
  /** Another worker asked for it. */
  | { to: "hand over"; worker: string }
  /** A statement fails because of it: it is left alone for a while. */
  | { to: "avoid" };

/** What a delivery worker knows about a subscription. One that it knows nothing about has no state. */
type State =
  /** Has pending deliveries, and waits for a place. */
  | { name: "announced" }
  /** The statement that takes the lease is running. */
  | { name: "leasing"; changed: boolean; pending: boolean }
  /** Leased: deliveries are fetched and sent. */
  | { name: "delivering"; leased: LeasedSubscription }
  /** Leased: nothing is fetched or sent any more; attempts in flight finish and are recorded. */
  | { name: "closing"; leased: LeasedSubscription; next: Next }
  /** Leased, but no key opens its secret. Another worker may have the key: the lease is returned at `until`. */
  | { name: "unreadable"; until: number; next: Next }
  /** The lease is being returned. The database may not have confirmed it yet. Not tried again before `notBefore`. */
  | { name: "returning"; next: Next; notBefore: number }
  /** Left to other workers until this time; ms since 1970. */
  | { name: "avoided"; until: number };

type StateName = State["name"];
type StateOf<Name extends StateName> = Extract<State, { name: Name }>;

type StatesByName = { [Name in StateName]: Map<string, StateOf<Name>> };

/** The states of a worker's subscriptions. All changes go through `set`; docs/architecture.md has the diagram. */
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

  /** Moves a subscription to a state; null forgets it. */
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

  get(id: string): State | undefined {
    return this.#all.get(id);
  }

  /** Returns the subscriptions in a state, by id, in the order in which they came into it. */
  in<Name extends StateName>(name: Name): ReadonlyMap<string, StateOf<Name>> {
    return this.#byName[name];
  }

  /** Ids of the subscriptions that this worker leases, or may lease as far as it knows. */
  leasedIds(): string[] {
    const names = ["delivering", "closing", "unreadable", "returning"] as const;
    return names.flatMap((name) => [...this.#byName[name].keys()]);
  }

  clear(): void {
    for (const id of [...this.#all.keys()]) this.set(id, null);
  }

  /** Handles the news that a subscription has pending deliveries. @param now ms since 1970 */
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
        state.pending = true; // If the lease is not free, it may be now.
        return;
      case "announced":
      case "unreadable":
    }
  }

  /** Handles the news that a subscription was updated or deleted: it is read again. */
  changed(id: string): void {
    const state = this.#all.get(id);
    if (state?.name === "leasing") state.changed = true;
    else if (state?.name === "delivering") this.close(id, { to: "lease" });
    else if (state?.name === "unreadable") this.set(id, { ...state, until: 0, next: { to: "lease" } });
    else if (state?.name === "closing" || state?.name === "returning") {
      if (state.next.to !== "hand over") this.set(id, { ...state, next: { to: "lease" } });
    } else if (state?.name === "avoided") this.set(id, null);
  }

  /** Stops fetching and sending for a subscription that is being delivered to. */
  close(id: string, next: Next): void {
    const state = this.#all.get(id);
    if (state?.name === "delivering") {
      state.leased.fetched.clear();
      this.set(id, { name: "closing", leased: state.leased, next });
    } else if (state?.name === "closing") this.set(id, { ...state, next });
  }

  /** Whether this lease is the one that its subscription is delivered under. */
  isDelivering(leased: LeasedSubscription): boolean {
    const state = this.#all.get(leased.id);
    return state?.name === "delivering" && state.leased === leased;
  }

  /** Closes a subscription, unless it was leased again since. */
  closeLease(leased: LeasedSubscription, next: Next): void {
    const state = this.#all.get(leased.id);
    if (state && "leased" in state && state.leased === leased) this.close(leased.id, next);
  }

  /** Moves a subscription to `returning`. */
  startReturn(id: string, next: Next): void {
    this.set(id, { name: "returning", next, notBefore: 0 });
  }
}
