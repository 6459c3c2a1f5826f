import { setTimeout as delay } from "node:timers/promises";
import type { Command, CommandUnknownOpts } from "@commander-js/extra-typings";
import { Failure, moment, print, printNote, withExamples } from "@parley/command-line";
import { connect } from "../connection.ts";
import { eventType } from "../input/event-types.ts";
import { recordFields } from "../output/record.ts";
import { groupOf } from "./groups.ts";
import { jsonOption, serverOption } from "./options.ts";

/** Adds `webhooks test`, `webhooks redeliver` and `webhooks rotate-signing-key`. */
export function addWebhookCommands(program: Command): void {
  const webhooks = groupOf(program as CommandUnknownOpts, "webhooks");

  const test = webhooks
    .command("test")
    .description("Sends a test event to the URL of a subscription, and shows the result.")
    .argument("<id>", "ID of the subscription")
    .option(
      "--event-type <type>",
      "type of the event; default: the first type of the subscription",
      eventType,
    )
    .option(...serverOption)
    .option(...jsonOption)
    .action(async (id, { eventType: event_type, server, json }) => {
      const parley = connect(server);
      const body = await parley.webhooks.test(id, event_type && { event_type });
      print(json, body, () => recordFields({ ...body.data }));
      if (body.data.attributes.status !== "delivered") throw new Failure("The test event was not delivered.");
    });
  withExamples(test, ["parley webhooks test 01928c5e-7a10-7c44-8d21-0b6de2f0aa01 --event-type lead.created"]);

  const redeliver = webhooks
    .command("redeliver")
    .description("Delivers an event again, or with --since all exhausted deliveries of a time range.")
    .argument("<id>", "ID of the subscription")
    .argument("[delivery-id]", "ID of the delivery; without it, --since is required")
    .option("--since <time>", "deliveries since this time, such as 24h (ago) or 2026-03-01T09:00:00Z", moment)
    .option("--until <time>", "deliveries before this time; default: now", moment)
    .option(...serverOption)
    .option(...jsonOption)
    .action(async (id, deliveryId, { since, until, server, json }) => {
      if ((deliveryId === undefined) === (since === undefined)) {
        throw new Failure("Name either a delivery, or a time range with --since.", 2);
      }
      if (until && !since) throw new Failure("--until needs --since.", 2);
      const parley = connect(server);
      if (since === undefined) {
        const body = await parley.webhooks.redeliver(id, deliveryId ?? "");
        return print(json, body, () => recordFields({ ...body.data }));
      }
      const range = { since: since.toISOString(), ...(until && { until: until.toISOString() }) };
      const { data } = await parley.webhooks.redeliverRange(id, range);
      const body = await finish(parley, id, data.id);
      print(json, body, () => recordFields({ ...body.data }));
    });
  withExamples(redeliver, [
    "parley webhooks redeliver 01928c5e-7a10-7c44-8d21-0b6de2f0aa01 01928c62-0000-7b1c-9a2d-3c4d5e6f7a80",
    "parley webhooks redeliver 01928c5e-7a10-7c44-8d21-0b6de2f0aa01 --since 24h",
  ]);

  const rotate = webhooks
    .command("rotate-signing-key")
    .description(
      "Creates a new key for the signatures that are verified with a public key; it signs after 24 hours.",
    )
    .option(
      "--immediately",
      "sign with the new key immediately, and remove all other keys, because one was leaked",
    )
    .option(...serverOption)
    .option(...jsonOption)
    .action(async ({ immediately = false, server, json }) => {
      const body = await connect(server).webhooks.rotateSigningKey({ immediately });
      print(json, body, () => recordFields({ ...body.data }));
    });
  withExamples(rotate, ["parley webhooks rotate-signing-key"]);
}

const pollMs = 1_000;

/** Waits until the deliveries of a redelivery are created, and shows the progress. */
async function finish({ webhooks }: ReturnType<typeof connect>, id: string, redeliveryId: string) {
  for (let shown = ""; ; await delay(pollMs)) {
    const body = await webhooks.redelivery(id, redeliveryId);
    const { finished_at: finishedAt, deliveries, searched_until: until } = body.data;
    if (finishedAt !== null) return body;
    const progress = `${deliveries} deliveries created so far, for attempts until ${until}. Ctrl+C stops waiting, but not the redelivery.`;
    if (progress !== shown) printNote(progress);
    shown = progress;
  }
}
