import * as sdk from "@parley/sdk";
import * as webhooks from "@parley/sdk/webhooks";
import * as publicKey from "@parley/sdk/webhooks/public-key";
import * as request from "@parley/sdk/webhooks/request";
import { scenario } from "../scenario.mjs";

export default {
  async fetch(incoming, { PARLEY_URL, PARLEY_WEBHOOK_SECRET }) {
    if (incoming.method !== "POST")
      return new Response(await scenario({ sdk, webhooks, request, publicKey }, PARLEY_URL));
    const on = { "lead.created": ({ id }) => console.log(id) };
    return request.receiveWebhooks({ secret: PARLEY_WEBHOOK_SECRET, on })(incoming);
  },
};
