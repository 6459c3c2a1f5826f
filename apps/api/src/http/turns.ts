/** Returns a function that runs actions of the same name one after the other, within this process. */
export function createTurns() {
  const latest = new Map<string, Promise<unknown>>();
  return async <Result>(name: string, act: () => Promise<Result>): Promise<Result> => {
    const before = latest.get(name);
    const turn = before ? before.then(act, act) : act();
    latest.set(name, turn);
    try {
      return await turn;
    } finally {
      if (latest.get(name) === turn) latest.delete(name);
    }
  };
}
