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

/** Returns the median of a figure over the rounds and its range: `0.52 (0.49–0.55)`. */
export function withSpread<Round>(rounds: Round[], figure: (round: Round) => number, digits = 2): string {
  const values = rounds.map(figure);
  const [middle, low, high] = [median(values), Math.min(...values), Math.max(...values)].map((value) =>
    value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  );
  return `${middle} (${low}–${high})`;
}

/** A figure's heading and number of digits, by its name. */
export type Columns<Figures> = Partial<Record<keyof Figures, [heading: string, digits: number]>>;

/**
 * Measures the sides in turn, so that a busy moment of the machine affects all of them. Then prints a row for each side, and
 * one with the ratio of each side to the last one.
 *
 * @param columns the figures to print
 * @returns the figures of each round by side
 */
export async function compareSides<Figures extends Record<keyof Figures, number>>(
  heading: string,
  columns: Columns<Figures>,
  sides: Record<string, () => Promise<Figures>>,
  { rounds: count, warmUps = 1 }: { rounds: number; warmUps?: number },
): Promise<Map<string, Figures>[]> {
  const rounds = await measureRounds(
    count,
    async () => {
      const round = new Map<string, Figures>();
      for (const [name, measure] of Object.entries(sides)) round.set(name, await measure());
      return round;
    },
    warmUps,
  );
  const names = Object.keys(sides);
  const last = names.at(-1) ?? "";
  const figures = Object.entries(columns) as [keyof Figures, [heading: string, digits: number]][];
  const of = (round: Map<string, Figures>, name: string, figure: keyof Figures) =>
    round.get(name)?.[figure] ?? Number.NaN;
  printTable(
    [heading, ...figures.map(([, [words]]) => words)],
    [
      ...names.map((name) => [
        name,
        ...figures.map(([figure, [, digits]]) =>
          withSpread(rounds, (round) => of(round, name, figure), digits),
        ),
      ]),
      ...names
        .slice(0, -1)
        .map((name) => [
          `${name} / ${last}`,
          ...figures.map(([figure]) =>
            withSpread(rounds, (round) => of(round, name, figure) / of(round, last, figure)),
          ),
        ]),
    ],
  );
  return rounds;
}

/** Measures rounds after those that warm up. */
export async function measureRounds<Round>(
  count: number,
  measure: () => Promise<Round>,
  warmUps = 1,
): Promise<Round[]> {
  const rounds: Round[] = [];
  for (let round = -warmUps; round < count; round += 1) rounds.push(await measure());
  return rounds.slice(warmUps);
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
