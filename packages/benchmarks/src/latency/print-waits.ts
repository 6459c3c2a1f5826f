import { withSpread } from "../harness/statistics.ts";
import { printTable } from "../harness/table.ts";
import type { Waits } from "./publish-and-wait.ts";

/** Prints how long deliveries waited, a row for each side with the rounds of it. */
export function printWaits(sides: Record<string, Waits[]>): void {
  const column = (rounds: Waits[], figure: keyof Waits) =>
    withSpread(
      rounds.map((waits) => waits[figure]),
      1,
    );
  printTable(
    ["ms from commit to arrival", "p50", "p99", "longest"],
    Object.entries(sides).map(([words, rounds]) => [
      words,
      column(rounds, "p50"),
      column(rounds, "p99"),
      column(rounds, "most"),
    ]),
  );
}
