/** How many events a second are published, and what one costs where an organization has many subscriptions. */
import { type Bench, runBench } from "./harness/bench.ts";
import type { Child } from "./harness/child.ts";
import { withSpread } from "./harness/statistics.ts";
import { printTable } from "./harness/table.ts";
import { withClient } from "./harness/with-client.ts";
import type { MeasuredPublisher } from "./publishing/publisher.ts";
import { createAudience, empty } from "./publishing/seed.ts";

const [few, many] = [10, 10_000];

/** Events, or rows, a second. */
interface Round {
  published: number;
  /** CPU of the publishing process per event, in microseconds. */
  cpu: number;
  inserted: number;
  insertedPlainly: number;
  /** One after the other, to organizations of few and of many subscriptions. */
  toFew: number;
  toMany: number;
}

await runBench(async (bench) => {
  const databaseUrl = await bench.startDatabase();
  const publisher = bench.start<MeasuredPublisher>("publishing/publisher.ts");
  await publisher.call("connect", databaseUrl);
  report(await measureRounds(bench, databaseUrl, publisher));
});

async function measureRounds(
  bench: Bench,
  databaseUrl: string,
  publisher: Child<MeasuredPublisher>,
): Promise<Round[]> {
  const times = bench.quick ? 500 : 10_000;
  return withClient(databaseUrl, async (client) => {
    const [one, small, large] = [
      await createAudience(client, 1),
      await createAudience(client, few),
      await createAudience(client, bench.quick ? 1_000 : many),
    ];
    const organizations = [one.organizationId];
    async function measure(): Promise<Round> {
      await empty(client);
      const before = await publisher.call("cpu");
      const published = await publisher.call("publish", organizations, one.chatbotId, times);
      const cpu = ((await publisher.call("cpu")) - before) / times;
      return {
        published,
        cpu,
        inserted: await publisher.call("insert", organizations, times),
        insertedPlainly: await publisher.call("insertPlainly", organizations, times),
        toFew: await publisher.call("publish", [small.organizationId], small.chatbotId, times / 10, 1),
        toMany: await publisher.call("publish", [large.organizationId], large.chatbotId, times / 10, 1),
      };
    }
    await measure();
    const rounds: Round[] = [];
    while (rounds.length < (bench.quick ? 2 : 8)) rounds.push(await measure());
    return rounds;
  });
}

function report(rounds: Round[]): void {
  const column = (figure: (round: Round) => number, digits: number) => withSpread(rounds.map(figure), digits);
  printTable(
    ["8 connections", "a second"],
    [
      ["events published, 1 delivery each", column((round) => round.published, 0)],
      ["single rows, the same connections", column((round) => round.inserted, 0)],
      ["single rows, without Prisma", column((round) => round.insertedPlainly, 0)],
    ],
  );
  console.log(`CPU of the publishing process per event: ${column(({ cpu }) => cpu, 0)} µs\n`);
  const rate = (other: keyof Round) => column((round) => round.published / round[other], 2);
  console.log(
    `ratio, published to inserted: ${rate("inserted")}, without Prisma ${rate("insertedPlainly")}\n`,
  );
  printTable(
    ["1 connection, matches 1", "ms an event"],
    [
      [`of ${few} subscriptions`, column(({ toFew }) => 1_000 / toFew, 2)],
      [`of ${many.toLocaleString("en")} subscriptions`, column(({ toMany }) => 1_000 / toMany, 2)],
    ],
  );
  console.log(`ratio of the cost, many to few: ${column(({ toFew, toMany }) => toFew / toMany, 2)}`);
}
