import MiniSearch from "minisearch";
import { afterAll, beforeAll, expect, test } from "vitest";
import { search, searchOptions } from "../src/site/browser/search-query.ts";
import { type BuiltSite, buildTestSite } from "./built-site.ts";

let site: BuiltSite;
let index: MiniSearch;
beforeAll(async () => {
  site = await buildTestSite();
  index = MiniSearch.loadJSON(site.read("search.json"), searchOptions);
});
afterAll(() => site.remove());

const guide = (name: string) => `/docs/guides/${name}`;

test.each([
  ["list leads", "/docs/api/list-leads"],
  ["create a lead", "/docs/api/create-lead"],
  ["update ticket", "/docs/api/update-ticket"],
  ["create webhook", "/docs/api/create-webhook-subscription"],
  ["createWebhookSubscription", "/docs/api/create-webhook-subscription"],
  ["delete subscription", "/docs/api/delete-webhook-subscription"],
  ["rotate secret", "/docs/api/rotate-webhook-secret"],
  ["redeliver", "/docs/api/redeliver-webhook-deliveries"],
  ["list events", "/docs/api/list-events"],
  ["batch", "/docs/api/write-batch"],
  ["lead.created", "/docs/events/lead.created"],
  ["lead created", "/docs/events/lead.created"],
  ["lead.qualifed", "/docs/events/lead.qualified"],
  ["usage threshold", "/docs/events/usage.threshold_reached"],
  ["meeting reminder", "/docs/events/meeting.reminder"],
  ["feedback negative", "/docs/events/message.feedback_negative"],
  ["not_found", "/docs/errors/not_found"],
  ["404", "/docs/errors/not_found"],
  ["429", "/docs/errors/rate_limit_exceeded"],
  ["rate limit", `${guide("limits")}#rate-limits`],
  ["insufficient_scope", "/docs/errors/insufficient_scope"],
  ["invalid_grant", "/docs/errors/invalid_grant"],
  ["signature", `${guide("receiving-webhooks")}#verify-signatures`],
  ["verify signature", `${guide("receiving-webhooks")}#verify-signatures`],
  ["hmac", `${guide("receiving-webhooks")}#verify-signatures`],
  ["verfy signatur", `${guide("receiving-webhooks")}#verify-signatures`],
  ["python signature", `${guide("webhook-receivers")}#python`],
  ["express", `${guide("webhook-receivers")}#express`],
  ["next.js", `${guide("webhook-receivers")}#next.js-and-hono`],
  ["filter events", `${guide("control-deliveries")}#filter-events-by-their-fields`],
  ["order of events", `${guide("control-deliveries")}#receive-events-in-order`],
  ["add headers", `${guide("control-deliveries")}#add-headers-to-deliveries`],
  ["signature mismatch", guide("debug-signature")],
  ["signature_mismatch", guide("debug-signature")],
  ["invalid signature", guide("debug-signature")],
  ["wrong signature", guide("debug-signature")],
  ["signature does not match", guide("debug-signature")],
  ["debug webhook signature", guide("debug-signature")],
  ["openssl", guide("debug-signature")],
  ["test vectors", `${guide("verification")}#test-vectors`],
  ["standard webhooks", `${guide("verification")}#use-a-standard-webhooks-library`],
  ["pagination", `${guide("lists")}#paginate-a-list`],
  ["polling", `${guide("lists")}#poll-for-changes`],
  ["idempotency key", `${guide("errors")}#use-idempotency-keys`],
  ["refresh token", `${guide("authentication")}#refresh-tokens`],
  ["pkce", guide("authentication")],
  ["scopes", `${guide("authentication")}#scopes`],
  ["localhost", guide("develop-locally")],
  ["ngrok", guide("develop-locally")],
  ["quick start", guide("quick-start")],
  ["LeadContact", "/docs/schemas/LeadContact"],
  ["changelog", guide("changelog")],
  ["exchangeCode", "/docs/sdk/oauth#exchange-code"],
  ["receiveWebhooks", "/docs/sdk/receivers"],
  ["fakeFetch", "/docs/sdk/testing#fake-fetch"],
  ["ParleyOptions", "/docs/sdk/client#parley-options"],
  ["verifyWebhook", "/docs/sdk/webhooks#verify-webhook"],
  ["mock fetch tests", `${guide("develop-locally")}#test-your-integration`],
  ["go live", guide("go-live")],
  ["zapier", `${guide("integrations")}#use-parley-in-zapier`],
  ["make", `${guide("integrations")}#build-an-app-for-make`],
  ["n8n", `${guide("integrations")}#use-parley-in-n8n`],
  ["self host", guide("self-host")],
  ["circuit breaker", `${guide("failures")}#retries-and-the-circuit-breaker`],
  ["gap", guide("failures")],
  ["flask", `${guide("webhook-receivers")}#python`],
  ["ruby", `${guide("webhook-receivers")}#ruby`],
  ["configuration", guide("configuration")],
  ["scope", `${guide("authentication")}#scopes`],
  ["X-Parley-Signature", `${guide("receiving-webhooks")}#verify-signatures`],
  ["sandbox", guide("quick-start")],
])("finds %s first or second", (query, expected) => {
  const hits = search(index, query, 10).map(({ id }) => String(id));
  const isExpected = (id: string) =>
    id === expected || (!expected.includes("#") && id.startsWith(`${expected}#`));
  expect([query, hits.slice(0, 2).some(isExpected), hits.slice(0, 4)]).toEqual([
    query,
    true,
    expect.anything(),
  ]);
});

test("returns nothing for words that do not occur", () => {
  expect(search(index, "qwxzvk", 10)).toEqual([]);
});
