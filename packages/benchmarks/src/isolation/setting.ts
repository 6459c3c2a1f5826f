import { randomBytes } from "node:crypto";
import type { Client } from "pg";
import type { EventPublisher } from "../faults/publisher.ts";
import type { FaultyReceiver } from "../faults/receiver.ts";
import type { Bench } from "../harness/bench.ts";
import type { Child } from "../harness/child.ts";
import { freePort } from "../harness/free-port.ts";
import type { RealWorker } from "../harness/real-worker.ts";
import { type Subscriber, seedSubscriptions } from "../harness/seed-subscriptions.ts";

/** Fifty subscriptions, each of an organization of its own, and the processes that serve them. */
export interface Setting {
  client: Client;
  /** The worker's environment. */
  variables: Record<string, string>;
  worker: Child<RealWorker>;
  publisher: Child<EventPublisher>;
  receiver: Child<FaultyReceiver>;
  badReceiver: Child<FaultyReceiver>;
  good: Subscriber[];
  bad: { hanging: Subscriber; down: Subscriber; backlog: Subscriber };
}

const healthy = 47;

export async function prepare(bench: Bench, databaseUrl: string, client: Client): Promise<Setting> {
  const receiver = bench.start<FaultyReceiver>("faults/receiver.ts");
  const badReceiver = bench.start<FaultyReceiver>("faults/receiver.ts");
  const publisher = bench.start<EventPublisher>("faults/publisher.ts");
  const [goodUrl, badUrl] = [await receiver.call("start"), await badReceiver.call("start")];
  const encryptionKey = randomBytes(32).toString("base64");
  const [hanging, down, backlog, ...good] = await seedSubscriptions(databaseUrl, encryptionKey, [
    [`${badUrl}/hanging`],
    [`http://127.0.0.1:${await freePort()}`],
    [`${badUrl}/steady`],
    ...Array.from({ length: healthy }, (_, i) => [`${goodUrl}/steady/${i}`]),
  ]);
  if (!hanging || !down || !backlog) throw new Error("the subscriptions were not created");
  await publisher.call("connect", databaseUrl);
  return {
    client,
    worker: bench.start<RealWorker>("harness/real-worker.ts"),
    publisher,
    receiver,
    badReceiver,
    good,
    bad: { hanging, down, backlog },
    variables: {
      DATABASE_URL: databaseUrl,
      PARLEY_ENCRYPTION_KEY: encryptionKey,
      WEBHOOKS_ALLOW_LOOPBACK: "true",
      // With the pauses of production the bad ones would soon be left alone.
      DELIVERY_PAUSES: "0,0,1",
      DELIVERY_MAX_FAILURES: "100",
      DELIVERY_MAX_ATTEMPTS: "100",
    },
  };
}
