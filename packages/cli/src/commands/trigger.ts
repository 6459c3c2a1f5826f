import type { Command } from "@commander-js/extra-typings";
import { Failure, print, withExamples } from "@parley/command-line";
import { eventTypes, sendWebhook, webhookEvent } from "@parley/sdk/testing";
import type { WebhookEvent, WebhookEventType } from "@parley/sdk/webhooks";
import { connect } from "../connection.ts";
import { eventType } from "../input/event-types.ts";
import { jsonObject } from "../input/json-object.ts";
import { receiverUrl } from "../input/receiver-url.ts";
import { liveChangeOf, liveEventTypes } from "../live-changes.ts";
import { deliveryJson, deliveryLine } from "../output/event-line.ts";
import { signingSecret } from "../signing-secret.ts";
import { jsonOption, type ServerOptions, secretOption, serverOption } from "./options.ts";

/** Adds the `trigger` command. */
export function addTriggerCommand(program: Command): void {
  const trigger = program
    .command("trigger")
    .description("Sends a signed sample event to a program on this machine. Only --live changes records.")
    .argument("<event-type>", "type of the event, for example lead.created", eventType)
    .option("--forward-to <url>", "URL of your program, for example http://localhost:3000/hook", receiverUrl)
    .option(
      "--data <json>",
      'values of the event\'s data to replace, for example \'{"attributes":{"score":91}}\'',
      jsonObject,
    )
    .option(
      "--live",
      "create a record on the server instead, so that it publishes the event to all subscriptions",
    )
    .option("--chatbot-id <id>", "chatbot of the event; default with --live: the first chatbot")
    .option(...secretOption)
    .option(...serverOption)
    .option(...jsonOption)
    .action(async (type, { forwardTo, data, live, chatbotId, json, ...options }) => {
      if (live && (forwardTo !== undefined || data !== undefined)) {
        throw new Failure("--live changes a record on the server. Remove --forward-to and --data.", 2);
      }
      if (live) return changeRecord(type, chatbotId, { ...options, json });
      if (forwardTo === undefined) {
        throw new Failure("Add --forward-to http://localhost:3000/hook, or --live to create a record.", 2);
      }
      const event = sampleEvent(type, data, chatbotId);
      const delivery = await sendWebhook(forwardTo, event, { secret: signingSecret(options) });
      print(json, deliveryJson(delivery), () => deliveryLine(delivery));
      if (!delivery.delivered) throw new Failure(`The event was not delivered to ${forwardTo}.`);
    });
  withExamples(
    trigger,
    [
      "parley trigger lead.created --forward-to http://localhost:3000/hook",
      `parley trigger lead.qualified --forward-to 3000/hook --data '{"attributes":{"score":91}}'`,
      "parley trigger ticket.resolved --live",
    ],
    `Event types: ${eventTypes.join(", ")}
With --live: ${liveEventTypes.join(", ")}`,
  );
}

/** Returns the sample event with the current time, the chatbot, and the given values of `data`. */
function sampleEvent(type: WebhookEventType, data: Json = {}, chatbotId?: string): WebhookEvent {
  const chatbot = chatbotId === undefined ? {} : { chatbot_id: chatbotId };
  const hasChatbot = "chatbot_id" in webhookEvent(type).data.attributes;
  const attributes = { ...(hasChatbot && chatbot), ...(data["attributes"] as Json | undefined) };
  const overrides = { created_at: new Date().toISOString(), ...chatbot, data: { ...data, attributes } };
  return webhookEvent(type, overrides as Parameters<typeof webhookEvent>[1]);
}

type Json = Record<string, unknown>;

async function changeRecord(
  type: WebhookEventType,
  chatbotId: string | undefined,
  { server, json }: ServerOptions,
): Promise<void> {
  const change = liveChangeOf(type);
  if (!change) {
    throw new Failure(
      `Only your chatbot platform publishes ${type}, through the Platform API. With --live: ${liveEventTypes.join(", ")}.`,
      2,
    );
  }
  const parley = connect(server);
  const id = chatbotId ?? (await parley.chatbots.list({ limit: 1 })).data[0]?.id;
  if (id === undefined) throw new Failure("The organization has no chatbot, which the record needs.");
  const record = await change(parley, id);
  print(
    json,
    { event_type: type, record },
    () =>
      `Created ${record.type} ${record.id}. The server publishes ${type}, after the events of earlier steps.`,
  );
}
