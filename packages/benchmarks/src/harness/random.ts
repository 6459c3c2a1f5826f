/** Random numbers that a seed determines. */
export interface Random {
  /** Returns true with this probability, from 0 to 1. */
  chance(share: number): boolean;
  /** Returns a whole number, both bounds included. */
  integer(min: number, max: number): number;
  pick<Member>(list: readonly Member[]): Member;
}

/** Returns the same numbers for the same seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;

  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  return {
    chance: (share) => next() < share,
    integer: (min, max) => min + Math.floor(next() * (max - min + 1)),
    pick(list) {
      const member = list[Math.floor(next() * list.length)];
      if (member === undefined) throw new Error("there is nothing to pick from");
      return member;
    },
  };
}
