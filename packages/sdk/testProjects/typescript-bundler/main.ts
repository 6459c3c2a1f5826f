// Bundled code for browsers and edge functions, without types of Node.js.
import { authorizeUrl, createPkce, Parley, type ParleyError } from "@parley/sdk";
import { receiveWebhooks } from "@parley/sdk/webhooks/request";

declare const PARLEY_URL: string;

const parley = new Parley({ baseUrl: PARLEY_URL, accessToken: "parley_at_0" });
let count = 0;
for await (const lead of parley.leads.list()) count += lead.attributes.score > 0 ? 1 : 0;

const error: ParleyError = await parley.tickets.get("missing").then(
  () => Promise.reject(new Error("The ticket exists")),
  (reason: ParleyError) => reason,
);

const { codeVerifier, codeChallenge } = await createPkce();
const url = authorizeUrl({
  baseUrl: PARLEY_URL,
  clientId: "client",
  redirectUri: "https://app.example.com/callback",
  scopes: ["leads:read"],
  state: codeVerifier,
  codeChallenge,
});

export const POST: (request: Request) => Promise<Response> = receiveWebhooks({
  secret: "parley_ws_1",
  on: {
    "lead.created": ({ data }) => console.log(data.attributes.contact.email),
    "ticket.created": async ({ data }) => console.log(data.attributes.subject),
  },
});
const { status } = await POST(new Request("http://localhost/", { method: "POST", body: "{}" }));
console.log([count, error.code, new URL(url).searchParams.get("scope"), status].join(" "));
