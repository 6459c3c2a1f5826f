export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** @param share for example 0.99 */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
}

/** Returns the median and the range: `0.52 (0.49–0.55)`. */
export function withSpread(values: number[], digits: number): string {
  const [middle, low, high] = [median(values), Math.min(...values), Math.max(...values)].map((value) =>
    value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  );
  return `${middle} (${low}–${high})`;
}

/** A figure's heading and number of digits, by its name. */
export type Columns<Figures> = Partial<Record<keyof Figures, [heading: string, digits: number]>>;

/**
 * Measures the sides in turn, so that other work on the machine affects all of them. Then prints a row for each side, and
 * one with the ratio of each side to the last one.
 *
 * @param columns the figures to print
 */
export async function compareSides<Figures extends Record<keyof Figures, number>>(
  heading: string,
  columns: Columns<Figures>,
  sides: Record<string, () => Promise<Figures>>,
  { rounds: count, warmUps = 1 }: { rounds: number; warmUps?: number },
): Promise<void> {
  const measured = new Map(Object.keys(sides).map((name) => [name, [] as Figures[]]));
  for (let round = -warmUps; round < count; round += 1) {
    for (const [name, measure] of Object.entries(sides)) {
      const figures = await measure();
      if (round >= 0) measured.get(name)?.push(figures);
    }
  }
  const figures = Object.entries(columns) as [keyof Figures, [heading: string, digits: number]][];
  const all = [...measured];
  const [last, lastRounds] = all.at(-1) ?? ["", []];
  const rows = all.map(([name, rounds]) => [
    name,
    ...figures.map(([figure, [, digits]]) =>
      withSpread(
        rounds.map((round) => round[figure]),
        digits,
      ),
    ),
  ]);
  const ratios = all.slice(0, -1).map(([name, rounds]) => [
    `${name} / ${last}`,
    ...figures.map(([figure]) =>
      withSpread(
        rounds.map((round, i) => round[figure] / (lastRounds[i]?.[figure] ?? Number.NaN)),
        2,
      ),
    ),
  ]);
  printTable([heading, ...figures.map(([, [label]]) => label)], [...rows, ...ratios]);
}

/** Prints rows under headings: the first column aligned to the left, the others to the right. */
export function printTable(headings: string[], rows: string[][]): void {
  const all = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  for (const row of all) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    console.log(`  ${cells.join("   ")}`);
  }
}
