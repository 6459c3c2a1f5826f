import type { Random } from "../../harness/random.ts";
import type { Attributes, Item, ItemType } from "../model/model.ts";

/** One thing that the platform writes. */
export interface Step {
  item: unknown;
  /** Whether it has to be refused whatever was written before. */
  bad: boolean;
}

/** Something that goes on beside another thing, from one of its steps on. */
export interface Aside {
  /** After so many steps of the main thread. */
  after: number;
  items: Item[];
}

export function item<Type extends ItemType>(
  type: Type,
  external_id: string,
  attributes: Attributes<Type>,
): Item {
  return { type, external_id, attributes } as Item;
}

/** One thread of several: each keeps its own order. */
export function weave(random: Random, main: Item[], asides: Aside[]): Item[] {
  const waiting = asides.map(({ after, items }) => ({ after, items: [...items] }));
  const woven: Item[] = [];

  function goOn(step: number, share: number): void {
    for (const aside of waiting) {
      while (aside.after <= step && aside.items.length > 0 && random.chance(share)) {
        woven.push(...aside.items.splice(0, 1));
      }
    }
  }

  for (const [index, one] of main.entries()) {
    woven.push(one);
    goOn(index + 1, 0.4);
  }
  goOn(Number.POSITIVE_INFINITY, 1);
  return woven;
}
