import { checkUrl, targetUrlProblem } from "@parley/webhooks";
import { type ApiError, invalidField } from "../../../http/api-error.ts";
import type { Operations } from "../../../http/handlers.ts";
import { recordTest, sendTestTo } from "../../deliveries/test-deliveries.ts";
import { tooManyRequests } from "../../oauth/sessions/throttle.ts";
import { resume } from "../../webhooks/resume.ts";
import { rotateSecret } from "../../webhooks/secrets.ts";
import {
  createSubscription,
  deleteSubscription,
  findSubscription,
  isExclusiveUpdate,
  updateSubscription,
} from "../../webhooks/service.ts";
import { deliveryAddress, webhookAddress, webhooksAddress } from "../addresses.ts";
import type { ConsoleContext } from "../context.ts";
import { responseText } from "../deliveries/table.ts";
import type { Problem } from "../flash-messages.ts";
import { notAdminPage } from "../layout/error-pages.ts";
import { counted } from "../layout/numbers.ts";
import { shortUrl } from "../layout/short-url.ts";
import { dateAndTimeText } from "../layout/time.ts";
import {
  type ConsoleSession,
  changeAs,
  type FormResult,
  handleForm,
  renderForUser,
} from "../page-requests.ts";
import { rejectable, rejectedBy } from "../reject.ts";
import { confirmPage } from "./confirm-pages.ts";
import { webhookPage } from "./detail-page.ts";
import { problemOfError, requestBody, storedValues, typedValues, type WebhookForm } from "./form.ts";
import { webhookFormPage } from "./form-page.ts";
import { webhooksPage } from "./list-page.ts";
import { requireChanges } from "./plan-warning.ts";
import { readQueue, readWebhook, readWebhooks } from "./read-webhook.ts";

type WebhookOperation =
  | "showWebhooks"
  | "showNewWebhook"
  | "submitNewWebhook"
  | "showWebhook"
  | "submitWebhook"
  | "showWebhookForm"
  | "submitWebhookForm";

const what = "create and change webhooks";

/** Returns the problem of an action. The page that shows it has no fields. */
function problemOfAction(error: ApiError): Problem {
  return { ...problemOfError(error), field: "form" };
}

/** Checks of URLs that an organization can make in ten minutes. */
const checksPerWindow = 20;

/** Returns the operations of the pages about webhook subscriptions. */
export function webhookOperations(context: ConsoleContext): Operations<WebhookOperation> {
  const { db, clock, secretBox, policy } = context;
  const now = () => new Date(clock());

  return {
    showWebhooks: (request, reply) =>
      renderForUser(context, request, reply, async (session, message) => {
        const { webhooks } = await readWebhooks(db, session.user.organizationId, now());
        return webhooksPage(session, webhooks, message, now());
      }),

    showNewWebhook: (request, reply) =>
      renderForUser(context, request, reply, async (session, message) => {
        if (!session.user.managesWebhooks) return notAdminPage(session, what);
        const values = { types: "selected" };
        return webhookFormPage(session, { values, chatbots: await chatbotsOf(session) }, message);
      }),

    submitNewWebhook: (request, reply) =>
      handleForm(context, request, reply, async (session) => {
        requireChanges(session);
        const form = request.body;
        const here = { redirectTo: `${webhooksAddress}/new`, typed: typedValues(form) };
        if (form.action === "check") return { ...here, ...(await check(session, form)) };
        return rejectable(here, rejectedBy(problemOfError), async () => {
          const read = requestBody(form, { hasHeaders: false });
          if ("problems" in read) return { ...here, problems: read.problems };
          const { row, secret } = await changeAs(context, session, (change) =>
            createSubscription(change, secretBox, policy, read.body),
          );
          return { redirectTo: webhookAddress(row.id), done: "The webhook was created.", secret };
        });
      }),

    showWebhookForm: (request, reply) =>
      renderForUser(context, request, reply, async (session, message) => {
        if (!session.user.managesWebhooks) return notAdminPage(session, what);
        const subscription = await findSubscription(db, session.user.organizationId, request.params.id);
        const values = storedValues(subscription);
        return webhookFormPage(
          session,
          { values, chatbots: await chatbotsOf(session), subscription },
          message,
        );
      }),

    submitWebhookForm: (request, reply) =>
      handleForm(context, request, reply, async (session) => {
        requireChanges(session);
        const form = request.body;
        const { id, headerNames } = await findSubscription(
          db,
          session.user.organizationId,
          request.params.id,
        );
        const here = { redirectTo: `${webhookAddress(id)}/edit`, typed: typedValues(form) };
        if (form.action === "check") return { ...here, ...(await check(session, form)) };
        return rejectable(here, rejectedBy(problemOfError), async () => {
          const read = requestBody(form, { hasHeaders: headerNames.length > 0 });
          if ("problems" in read) return { ...here, problems: read.problems };
          await changeAs(
            context,
            session,
            (change) => updateSubscription(change, secretBox, policy, id, read.body),
            { exclusive: isExclusiveUpdate(read.body) },
          );
          return { redirectTo: webhookAddress(id), done: "The changes were saved." };
        });
      }),

    showWebhook: (request, reply) =>
      renderForUser(context, request, reply, async (session, message) => {
        const { organizationId, managesWebhooks } = session.user;
        const { id } = request.params;
        const { confirm } = request.query;
        if (confirm === undefined) {
          return webhookPage(session, await readWebhook(context, organizationId, id, now()), message, now());
        }
        const { row, queue, skipped } = await readQueue(db, organizationId, id);
        if (!managesWebhooks) return notAdminPage(session, what);
        return confirmPage(session, row, { action: confirm, pending: queue.pending, skipped });
      }),

    submitWebhook: (request, reply) =>
      handleForm(context, request, reply, (session) => {
        requireChanges(session);
        const here = { redirectTo: webhookAddress(request.params.id) };
        return rejectable(here, rejectedBy(problemOfAction), () =>
          act(session, request.params.id, request.body),
        );
      }),
  };

  function chatbotsOf({ user }: ConsoleSession) {
    return db.chatbot.findMany({
      where: { organizationId: user.organizationId },
      select: { id: true, name: true },
      orderBy: { name: "asc" },
      take: 500,
    });
  }

  /** Checks the URL of a form. */
  async function check({ user }: ConsoleSession, { target_url: url = "" }: WebhookForm) {
    const problem = targetUrlProblem(url.trim(), policy);
    if (problem) return { problems: [problemOfError(invalidField("body/target_url", problem))] };
    const wait = await context.urlCheckThrottle.attempt([
      { key: user.organizationId, failures: checksPerWindow },
    ]);
    if (wait > 0) {
      const { message } = tooManyRequests("URLs were checked too often.", wait);
      return { problems: [{ field: "target_url" as const, message }] };
    }
    return { check: await checkUrl(context.client, url.trim(), context.timeoutMs) };
  }

  async function act(
    session: ConsoleSession,
    id: string,
    form: Parameters<Operations<"submitWebhook">["submitWebhook"]>[0]["body"],
  ): Promise<FormResult> {
    const { organizationId } = session.user;
    const redirectTo = webhookAddress(id);
    switch (form.action) {
      case "test": {
        const row = await findSubscription(db, organizationId, id);
        const sent = await sendTestTo(context, row, form.event_type);
        const { attempt } = await changeAs(context, session, (change) => recordTest(change, row, sent));
        const { statusCode, durationMs, error } = attempt;
        const response = responseText({ status_code: statusCode, duration_ms: durationMs, error });
        return {
          redirectTo: deliveryAddress({ subscriptionId: id, id: sent.deliveryId }),
          done: `The test event was sent. Response: ${response}.`,
        };
      }
      case "resume": {
        const fillGap = form.fill_gap === "true";
        const { gapFrom } = await findSubscription(db, organizationId, id);
        if (fillGap && gapFrom === null) {
          const message =
            "Nothing was changed: the webhook was resumed in the meantime, and the events that happened before can no longer be sent.";
          return { redirectTo, problems: [{ field: "form", message }] };
        }
        const { gapEvents } = await changeAs(context, session, (change) => resume(change, id, fillGap), {
          exclusive: !fillGap,
        });
        const filling = `${counted(gapEvents, "event")} that happened meanwhile will be sent first.`;
        return { redirectTo, done: `The webhook was resumed.${gapEvents > 0 ? ` ${filling}` : ""}` };
      }
      case "disable": {
        const enabled = false;
        await changeAs(
          context,
          session,
          (change) => updateSubscription(change, secretBox, policy, id, { enabled }),
          { exclusive: isExclusiveUpdate({ enabled }) },
        );
        return { redirectTo, done: "The webhook was disabled." };
      }
      case "rotate_secret": {
        const immediately = form.immediately === "true";
        const { secret, signsFrom } = await changeAs(context, session, (change) =>
          rotateSecret(change, secretBox, id, immediately),
        );
        const from = immediately ? "immediately" : `from ${dateAndTimeText(signsFrom)} on`;
        return { redirectTo, done: `A new secret was created. It is used ${from}.`, secret };
      }
      case "delete": {
        const { targetUrl } = await changeAs(context, session, (change) => deleteSubscription(change, id));
        return { redirectTo: webhooksAddress, done: `The webhook to ${shortUrl(targetUrl)} was deleted.` };
      }
    }
  }
}
