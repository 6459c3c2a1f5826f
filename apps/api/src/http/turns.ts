/** Has what carries the same name done one after the other. */
export type InTurn = <Result>(name: string, act: () => Promise<Result>) => Promise<Result>;

/** Turns within this process; of what others do it knows nothing. */
export function createTurns(): InTurn {
  const latest = new Map<string, Promise<unknown>>();
  return async (name, act) => {
    const before = latest.get(name);
    const turn = (before ? before.then(act, act) : act()) as ReturnType<typeof act>;
    latest.set(name, turn);
    try {
      return await turn;
    } finally {
      if (latest.get(name) === turn) latest.delete(name);
    }
  };
}
