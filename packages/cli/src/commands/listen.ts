import type { Command } from "@commander-js/extra-typings";
import { InvalidArgumentError } from "@commander-js/extra-typings";
import {
  duration,
  Failure,
  moment,
  printEach,
  printLine,
  printNote,
  withExamples,
} from "@parley/command-line";
import { forwardEvents, type SentDelivery } from "@parley/sdk/testing";
import { connect } from "../connection.ts";
import { eventTypeList } from "../input/event-types.ts";
import { receiverUrl } from "../input/receiver-url.ts";
import { deliveryJson, deliveryLine } from "../output/event-line.ts";
import { reportInterruption } from "../report-interruption.ts";
import { isOwnSecret, signingSecret } from "../signing-secret.ts";
import { stopSignal } from "../stop-signal.ts";
import {
  chatbotOption,
  eventTypesOption,
  feedQuery,
  secretOption,
  serverOption,
  sinceOption,
} from "./options.ts";

const defaultRetries = 3;

/** Adds the `listen` command. */
export function addListenCommand(program: Command): void {
  const listen = program
    .command("listen")
    .description(
      "Forwards events to a program on this machine, signed like webhooks, until you press Ctrl-C.",
    )
    .option("--forward-to <url>", "URL of your program, for example http://localhost:3000/hook", receiverUrl)
    .option(...eventTypesOption, eventTypeList)
    .option(...chatbotOption)
    .option(...sinceOption, moment)
    .option(
      "--retry [count]",
      `retry a failed delivery, while later events wait; default: ${defaultRetries} times`,
      retryCount,
    )
    .option("--timeout <duration>", "time for a response; default: 10s, as for webhooks", duration)
    .option("--print-secret", "print only the signing secret, and exit")
    .option(...secretOption)
    .option(...serverOption)
    .option("--json", "print one line of JSON for each attempt")
    .action(async ({ forwardTo: to, retry, timeout, printSecret, json, ...options }) => {
      const secret = signingSecret(options);
      if (printSecret) return printLine(secret);
      if (to === undefined) {
        throw new Failure(
          "Add --forward-to http://localhost:3000/hook. To only see events: parley events tail",
          2,
        );
      }
      const parley = connect(options.server);
      const { data: organization } = await parley.me();
      const print = (delivery: SentDelivery) =>
        printEach(json, deliveryJson(delivery), deliveryLine(delivery));
      const retries = retry === true ? defaultRetries : retry;
      const signal = stopSignal();
      const forwarder = await forwardEvents(parley, {
        ...feedQuery(options),
        to,
        secret,
        retries,
        signal,
        timeoutMs: timeout,
        onDelivery: print,
        onInterruption: reportInterruption,
      });
      // A secret that the user chose must not appear in the log of CI.
      const shownSecret = isOwnSecret(options) ? "that you chose" : secret;
      // With --json, standard output contains only attempts.
      const log = json ? printNote : printLine;
      log(`Signing secret: ${shownSecret}`);
      log(`Ready. Events of ${organization.attributes.name} are forwarded to ${to} (Ctrl-C to stop).`);
      await forwarder.done;
    });
  withExamples(listen, [
    "parley listen --forward-to http://localhost:3000/hook",
    "parley listen --forward-to 3000/hook --event-types lead.created,lead.qualified --retry",
    'PARLEY_WEBHOOK_SECRET="$(parley listen --print-secret)" node receiver.mjs',
  ]);
}

/** @throws InvalidArgumentError */
function retryCount(text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Must be a number of retries.");
}
