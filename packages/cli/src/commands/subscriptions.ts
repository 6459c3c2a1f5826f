import { type Command, type CommandUnknownOpts, InvalidArgumentError } from "@commander-js/extra-typings";
import { Failure, print, withExamples } from "@parley/command-line";
import type { FilterCondition } from "@parley/sdk";
import type { WebhookEventType } from "@parley/sdk/webhooks";
import { connect } from "../connection.ts";
import { conditionList } from "../input/condition.ts";
import { eventTypeList } from "../input/event-types.ts";
import { headerList } from "../input/header.ts";
import { recordFields } from "../output/record.ts";
import { groupOf } from "./groups.ts";
import { jsonOption, type ServerOptions, serverOption } from "./options.ts";

/** Adds the commands that create, update, resume and delete webhook subscriptions, and rotate their secrets. */
export function addSubscriptionCommands(program: Command): void {
  const webhooks = groupOf(program as CommandUnknownOpts, "webhooks");

  const subscribe = webhooks
    .command("subscribe")
    .description("Creates a webhook subscription, and shows its signing secret.")
    .argument("<url>", "HTTPS URL that receives the deliveries");
  withSettings(subscribe, "default: all").action(async (...values: unknown[]) => {
    const [target_url] = values as [string];
    const options: Options = subscribe.opts();
    const { event_types = ["*"], ...settings } = settingsOf(options);
    const body = await connect(options.server).webhooks.subscribe({ target_url, event_types, ...settings });
    print(options.json, body, () => recordFields({ ...body.data }));
  });
  withExamples(subscribe, [
    "parley webhooks subscribe https://hooks.example.com/parley --event-types lead.created,lead.updated",
    'parley webhooks subscribe https://hooks.example.com/parley --event-types lead.updated --condition "data.attributes.score greater 80"',
  ]);

  const update = webhooks
    .command("update")
    .description("Updates the given settings of a subscription. The others keep their values.")
    .argument("<id>", "ID of the subscription")
    .option("--url <url>", "HTTPS URL that receives the deliveries");
  withSettings(update, "replaces all types")
    .option("--no-filters", "remove the chatbot and all conditions")
    .option("--no-headers", "remove all headers")
    .option("--no-rate-limit", "remove the limit")
    .option("--no-ordering", "deliver in any order")
    .option("--no-public-key-signature", "sign with the secret only")
    .action(async (...values: unknown[]) => {
      const [id] = values as [string];
      const options: Options & { url?: string } = update.opts();
      const body = { ...(options.url && { target_url: options.url }), ...settingsOf(options) };
      if (Object.keys(body).length === 0)
        throw new Failure("Nothing to update. --help lists the options.", 2);
      const response = await connect(options.server).webhooks.update(id, body);
      print(options.json, response, () => recordFields({ ...response.data }));
    });
  withExamples(update, [
    "parley webhooks update 01928c5e-7a10-7c44-8d21-0b6de2f0aa01 --rate-limit 10 --ordering record",
    'parley webhooks update 01928c5e-7a10-7c44-8d21-0b6de2f0aa01 --header "X-Api-Key: 3c1f9a52" --no-filters',
  ]);

  const resume = webhooks
    .command("resume")
    .description("Resumes a failed, failing or disabled subscription.")
    .argument("<id>", "ID of the subscription")
    .option("--fill-gap", "also deliver the events that it skipped meanwhile")
    .option(...serverOption)
    .option(...jsonOption)
    .action(async (id, { fillGap, server, json }) => {
      const body = await connect(server).webhooks.resume(id, fillGap && { fill_gap: true });
      print(json, body, () => recordFields({ ...body.data, gap_events: body.meta.gap_events }));
    });
  withExamples(resume, ["parley webhooks resume 01928c5e-7a10-7c44-8d21-0b6de2f0aa01 --fill-gap"]);

  const rotate = webhooks
    .command("rotate-secret")
    .description("Creates a new signing secret, which signs after 24 hours.")
    .argument("<id>", "ID of the subscription")
    .option("--immediately", "sign with the new secret from now on, for example if the old one was leaked")
    .option(...serverOption)
    .option(...jsonOption)
    .action(async (id, { immediately, server, json }) => {
      const body = await connect(server).webhooks.rotateSecret(id, immediately && { immediately: true });
      print(json, body, () => recordFields({ ...body.data }));
    });
  withExamples(rotate, ["parley webhooks rotate-secret 01928c5e-7a10-7c44-8d21-0b6de2f0aa01"]);

  const remove = webhooks
    .command("delete")
    .description("Deletes a subscription with its pending deliveries. Nothing more is sent.")
    .argument("<id>", "ID of the subscription")
    .option(...serverOption)
    .option(...jsonOption)
    .action(async (id, { server, json }) => {
      const body = await connect(server).webhooks.delete(id);
      print(json, body, () => recordFields({ ...body.data }));
    });
  withExamples(remove, ["parley webhooks delete 01928c5e-7a10-7c44-8d21-0b6de2f0aa01"]);
}

/** Options for the settings of a subscription. False if a `--no-…` option removes one. */
interface Options extends ServerOptions {
  readonly eventTypes?: (WebhookEventType | "*")[];
  readonly chatbotId?: string;
  readonly condition?: FilterCondition[];
  readonly filters?: boolean;
  readonly header?: Record<string, string>;
  readonly headers?: boolean;
  readonly rateLimit?: number | boolean;
  readonly ordering?: "record" | boolean;
  readonly publicKeySignature?: boolean;
  readonly enabled?: boolean;
}

function withSettings(command: CommandUnknownOpts, types: string): CommandUnknownOpts {
  return command
    .option(
      "--event-types <types>",
      `event types, separated by commas, or * for all; repeatable; ${types}`,
      typeList,
    )
    .option("--chatbot-id <id>", "only events of this chatbot")
    .option(
      "--condition <condition>",
      'only events that meet it, such as "data.attributes.score greater 80"; repeatable',
      conditionList,
    )
    .option(
      "--header <header>",
      'header of each delivery, such as "X-Api-Key: 3c1f9a52"; repeatable',
      headerList,
    )
    .option("--rate-limit <number>", "maximum number of deliveries per second", rate)
    .option("--ordering <order>", "record: deliver the events of each record in order", ordering)
    .option("--public-key-signature", "also sign with the public-key signature of the organization")
    .option("--enabled", "send deliveries, the default of new subscriptions")
    .option("--no-enabled", "send nothing; events become part of the gap, which resume --fill-gap delivers")
    .option(...serverOption)
    .option(...jsonOption);
}

/** Returns the given settings in the form of the API. */
function settingsOf(options: Options) {
  const { eventTypes, chatbotId, condition, header, rateLimit, publicKeySignature, enabled } = options;
  const filters = {
    ...(chatbotId !== undefined && { chatbot_id: chatbotId }),
    ...(condition && { conditions: condition }),
  };
  const hasFilters = Object.keys(filters).length > 0 || options.filters === false;
  return {
    ...(eventTypes && { event_types: eventTypes }),
    ...(hasFilters && { filters }),
    ...((header || options.headers === false) && { headers: header ?? {} }),
    ...(typeof rateLimit === "number" && { rate_limit: rateLimit }),
    ...(rateLimit === false && { rate_limit: null }),
    ...(options.ordering === "record" && { ordering: options.ordering }),
    ...(options.ordering === false && { ordering: null }),
    ...(publicKeySignature !== undefined && { public_key_signature: publicKeySignature }),
    ...(enabled !== undefined && { enabled }),
  };
}

function typeList(text: string, earlier: (WebhookEventType | "*")[] = []): (WebhookEventType | "*")[] {
  return text === "*"
    ? ["*"]
    : eventTypeList(
        text,
        earlier.filter((type) => type !== "*"),
      );
}

function rate(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Must be a number from 1 to 1000.");
}

function ordering(text: string): "record" {
  if (text === "record") return text;
  throw new InvalidArgumentError("Must be record.");
}
