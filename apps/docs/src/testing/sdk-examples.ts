/** The examples in the SDK's docstrings, as programs. */
import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { description } from "@parley/contract";

const source = join(import.meta.dirname, "../../../../packages/sdk/src");
const { parameters, examples } = {
  parameters: description.components.parameters,
  examples: description.paths["/api/oauth/token"].post.requestBody.content["application/json"].examples,
};
const event = description.webhooks["lead.created"].post.requestBody.content["application/json"].example;
const { client_id, client_secret, code, redirect_uri, code_verifier } = examples.authorization_code.value;

/** An example as a program. */
export interface SdkExample {
  /** File, and number within the file. */
  readonly name: string;
  readonly program: string;
}

/**
 * Returns the code before an example, which defines what the reader already has: IDs of records, clients of the server, a
 * store. Storing a value throws, to end examples that would run forever.
 */
function prelude(receivers: string, server: string): string {
  return `
import { generateKeyPairSync, sign } from "node:crypto";
import * as sdk from "@parley/sdk";
import * as testing from "@parley/sdk/testing";
import { signWebhook, verifyWebhook, verifyWebhookDelivery, WebhookVerificationError } from "@parley/sdk/webhooks";
import { verifyWebhookWithPublicKey, webhookPublicKeys } from "@parley/sdk/webhooks/public-key";
import { type Dedupe, memoryDedupe, receiveWebhooks } from "@parley/sdk/webhooks/${receivers}";
const { Parley, ParleyPlatform, NotFoundError, poll, rawClient, createPkce, authorizeUrl, handleCallback, exchangeCode, refresh, revoke } = sdk;
const { errorResponse, fakeFetch, followEvents, forwardEvents, mockCall, mockList, responseExample, sendWebhook, webhookEvent, webhookHeaders, webhookRequest } = testing;
const parley = new Parley({ baseUrl: "${server}", accessToken: process.env["ACCESS_TOKEN"] ?? "" });
const platform = new ParleyPlatform({ baseUrl: "${server}", platformKey: process.env["PLATFORM_KEY"] ?? "" });
const organizationId = "${parameters.PathOrganizationId.example}";
const organization = platform.organization(organizationId);
const chatbotId = "${parameters.PathChatbotId.example}";
const leadId = "${parameters.PathLeadId.example}";
const ticketId = "${parameters.PathTicketId.example}";
const meetingId = "${parameters.PathMeetingId.example}";
const conversationId = "${parameters.PathConversationId.example}";
const subscriptionId = "${parameters.PathSubscriptionId.example}";
const eventId = "${parameters.PathEventId.example}";
const erasureId = "${parameters.PathErasureId.example}";
const deliveryId = "${parameters.PathDeliveryId.example}";
const redeliveryId = "${parameters.PathRedeliveryId.example}";
const client = { baseUrl: "${server}", clientId: "${client_id}", clientSecret: "${client_secret}" };
const redirectUri = "${redirect_uri}";
const code = "${code}";
const codeVerifier = "${code_verifier}";
const session = { state: "af0ifjsldkj", codeVerifier };
const request = { url: "/callback?" + new URLSearchParams({ code, state: session.state, iss: client.baseUrl }) };
const refreshToken = "${examples.refresh_token.value.refresh_token}";
const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const secret = "parley_ws_1";
const payload = ${JSON.stringify(JSON.stringify(event))};
const keyPair = generateKeyPairSync("ed25519");
const publicKeys = { keys: [keyPair.publicKey.export({ format: "jwk" }) as { kty: string }] };
const publicKeysUrl = "${server}/.well-known/parley/" + organizationId + "/webhook-keys.json";
const timestamp = String(Math.floor(Date.now() / 1000));
const signed = await webhookHeaders(payload, { secret, deliveryId, now: () => Number(timestamp) * 1000 });
const ed25519 = sign(null, Buffer.from(deliveryId + "." + timestamp + "." + payload), keyPair.privateKey);
const headers = {
  ...signed,
  "webhook-signature": signed["webhook-signature"] + " v1a," + ed25519.toString("base64"),
};
const mail = { subject: "Where is my invoice?", messageId: "mail-1" };
const stored = {
  read: async () => "2020-01-01T00:00:00Z",
  write: async (value: string | undefined) => { throw new Error("stored " + typeof value); },
};
const redis = {
  set: async (key: string, value: string, options: object) => key + value !== "" && options,
  get: async (key: string): Promise<string | null> => key && null,
  del: async (key: string) => key,
};
const app = { request: (...request: unknown[]) => request, post: (...route: unknown[]) => route, use: (...middleware: unknown[]) => middleware, register: (plugin: unknown) => plugin };
const express = { json: () => undefined };
const createServer = (listener: Parameters<typeof import("node:http").createServer>[1]) => ({ listen: (port: number) => [listener, port] });
export type { Dedupe };
`;
}

/** @param server root address */
export function sdkExamples(server: string): SdkExample[] {
  return globSync("**/*.ts", { cwd: source, exclude: ["**/*.test.ts", "generated/**"] })
    .toSorted()
    .flatMap((path) => examplesOf(path, server));
}

function examplesOf(path: string, server: string): SdkExample[] {
  const text = readFileSync(join(source, path), "utf8");
  const receivers = /(express|fastify|request)\.ts$/.exec(path)?.[1] ?? "node";
  const comments = [...text.matchAll(/\/\*\*.*?\*\//gs)].map(([comment]) => comment);
  return comments
    .flatMap((comment) => comment.split(/^\s*\* @example/m).slice(1))
    .map((example, index) => {
      const [, ...lines] = example.replace(/\s*\*\/$/, "").split("\n");
      const body = lines
        .map((line) => line.replace(/^\s*\* ?/, "").replace("export const", "const"))
        .join("\n");
      const name = `${relative(".", path).replaceAll(/\W+/g, "-")}-${index}`;
      return { name, program: `${prelude(receivers, server)}{\n${body}\n}\n` };
    });
}

/** Returns the functions and methods of the SDK that have no example, with their files. */
export function withoutExample(): string[] {
  return globSync(
    "{*,resources/*,oauth/*,testing/*,webhooks/*,webhooks/receivers/*,webhooks/public-key/*}.ts",
    { cwd: source },
  )
    .filter((path) =>
      /^(parley|platform|poll)\.ts|^resources\/(?!resource)|^oauth\/(?!index|refreshing)|testing\/(?!index|merge|example-of|newest-position)|receivers\/(express|fastify|node|request|dedupe)\.ts|webhooks\/(sign|verify|error)\.ts|public-key\/(keys|verify)\.ts/.test(
        path,
      ),
    )
    .flatMap((path) => {
      const text = readFileSync(join(source, path), "utf8");
      const declared = text.matchAll(
        /(\/\*\*(?:(?!\*\/).)*\*\/)\n(?:export (?:async )?function (\w+)| {2}(?!constructor)(\w+)(?:<[^>]*>)?\([^{;]*\{)/gs,
      );
      return [...declared]
        .filter(([, comment]) => !comment?.includes("@example"))
        .map(([, , exported, method]) => `${path} ${exported ?? method}`);
    });
}
