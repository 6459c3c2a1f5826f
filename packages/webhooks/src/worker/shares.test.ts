import { expect, test } from "vitest";
import { mayUse } from "./shares.ts";

/** Gives each organization as many as it may use, in turn. @returns how many each has */
function distribute(most: number, organizations: number, held: number[] = []): number[] {
  const used = Array.from({ length: organizations }, (_, index) => held[index] ?? 0);
  const total = () => used.reduce((sum, one) => sum + one, 0);
  for (let given = true; given; ) {
    given = false;
    for (const [index, usedByOne] of used.entries()) {
      if (!mayUse({ most, used: total(), usedByOne, organizations })) continue;
      used[index] = usedByOne + 1;
      given = true;
    }
  }
  return used;
}

test.each<[most: number, organizations: number, expected: number[]]>([
  [128, 1, [112]],
  [128, 2, [56, 56]],
  [128, 4, [28, 28, 28, 28]],
  [4, 2, [2, 2]],
  [1, 1, [1]],
  [2, 4, [1, 1, 0, 0]],
])("%i for %i organizations that want many", (most, organizations, expected) => {
  expect(distribute(most, organizations)).toEqual(expected);
});

test("an organization that has none gets one of the eighth, and then waits until others have no more than their share", () => {
  expect(distribute(128, 3, [56, 56, 0])).toEqual([56, 56, 1]);
  expect(distribute(128, 3, [50, 50, 1])).toEqual([50, 50, 12]);
  expect(distribute(128, 3, [42, 42, 12])).toEqual([42, 42, 28]);
});

test("as many organizations as the limit can use one each", () => {
  expect(distribute(16, 20)).toEqual([...new Array<number>(16).fill(1), 0, 0, 0, 0]);
});
