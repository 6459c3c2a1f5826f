/** Creates a function that runs actions with the same key one after the other, within this process. */
export function createKeyedMutex() {
  const latest = new Map<string, Promise<unknown>>();
  return async <Result>(key: string, act: () => Promise<Result>): Promise<Result> => {
    const before = latest.get(key);
    const current = before ? before.then(act, act) : act();
    latest.set(key, current);
    try {
      return await current;
    } finally {
      if (latest.get(key) === current) latest.delete(key);
    }
  };
}
