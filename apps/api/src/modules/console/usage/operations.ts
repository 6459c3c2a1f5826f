import { messagesPerMonth, type Plan, requestsPerMinute } from "@parley/contract";
import { requestCounts } from "@parley/database";
import { card, columnChart, descriptionList, figures, html, warning } from "@parley/ui";
import type { Operations } from "../../../http/handlers.ts";
import { monthOf } from "../../usage/period.ts";
import { usageAddress } from "../addresses.ts";
import type { ConsoleContext } from "../context.ts";
import { consolePage } from "../layout/console-page.ts";
import { count, percent } from "../layout/numbers.ts";
import { date } from "../layout/time.ts";
import { renderForUser } from "../page-requests.ts";
import { requestChart } from "../request-chart.ts";

const monthName = new Intl.DateTimeFormat("en-GB", { month: "short", year: "numeric", timeZone: "UTC" });

/** Number of months that the chart shows. */
const months = 12;

/** Returns the operation of the page about plan and usage. */
export function usageOperations(context: ConsoleContext): Operations<"showUsage"> {
  const { db, clock, policy } = context;
  return {
    showUsage: (request, reply) =>
      renderForUser(context, request, reply, async (session) => {
        const { organizationId, organizationName } = session.user;
        const plan = session.user.plan as Plan;
        const now = new Date(clock());
        const { start, end } = monthOf(now);
        const hourAgo = new Date(now.getTime() - 3_600_000);
        const [periods, webhooks, minutes] = await Promise.all([
          db.usagePeriod.findMany({
            where: { organizationId, metric: "messages" },
            orderBy: { periodStart: "desc" },
            take: months,
          }),
          db.subscription.count({ where: { organizationId } }),
          requestCounts(db, organizationId, hourAgo, now),
        ]);
        const allowance = messagesPerMonth[plan] ?? 0;
        const limit = requestsPerMinute[plan];
        const used = Number(
          periods.find(({ periodStart }) => periodStart.getTime() === start.getTime())?.used ?? 0,
        );
        const oldest = periods.toReversed();
        const content = html`
${descriptionList([
  ["Plan", planName(plan)],
  ["Organization", html`<bdi>${organizationName}</bdi>`],
  ["API access", limit === undefined ? "none" : `${count(limit)} requests per minute`],
])}
${limit === undefined && warning("The API and changes of webhooks need the Starter plan or higher. The operator of the server can change the plan.")}
${figures([
  {
    label: "Messages this month",
    value: `${count(used)} of ${count(allowance)}`,
    hint: html`${percent(Math.min(used, allowance), allowance)} of the allowance; the month ends on ${date(new Date(end.getTime() - 1))}`,
  },
  { label: "Webhooks", value: `${count(webhooks)} of ${count(policy.maxSubscriptions)}` },
])}
${used >= allowance && warning("The allowance of this month is used up.")}
${requestChart(minutes, { now, limit })}
${
  oldest.length > 0 &&
  card({
    id: "months",
    title: "Months",
    content: columnChart({
      id: "messages",
      title: "Messages per month",
      description: `Messages of the last ${oldest.length} months with usage.`,
      labelName: "Month",
      labels: oldest.map(({ periodStart }) => monthName.format(periodStart)),
      series: [{ name: "Messages", kind: "neutral", values: oldest.map((period) => Number(period.used)) }],
      limit: { name: "Allowance", value: allowance },
    }),
  })
}`;
        return consolePage(session, { title: "Plan and usage", content, section: usageAddress });
      }),
  };
}

function planName(plan: string): string {
  return plan.charAt(0).toUpperCase() + plan.slice(1);
}
