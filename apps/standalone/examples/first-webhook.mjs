import { once } from "node:events";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { Parley } from "@parley/sdk";
import { verifyWebhook } from "@parley/sdk/webhooks";

const { TOKEN: accessToken, PARLEY_URL: baseUrl = "http://127.0.0.1:8080" } = process.env;
if (!accessToken) throw new Error("Set TOKEN to the access token that npm start printed.");
const parley = new Parley({ baseUrl, accessToken });

// Subscribe this process …
const receiver = createServer().listen(9000, "127.0.0.1");
await once(receiver, "listening");
const { data: subscription } = await parley.webhooks.subscribe({
  target_url: "http://127.0.0.1:9000/",
  event_types: ["lead.created"],
});
try {
  // … make something happen …
  const delivery = once(receiver, "request", { signal: AbortSignal.timeout(30_000) });
  const { data: chatbots } = await parley.chatbots.list();
  await parley.leads.create({ chatbot_id: chatbots[0]?.id ?? "", contact: { name: "Ada Novak" } });

  // … and verify what arrives.
  const [request, response] = await delivery;
  const payload = await buffer(request);
  const event = await verifyWebhook({ payload, headers: request.headers, secret: subscription.secret });
  console.log(event.type, event.data);
  response.end();
} finally {
  await parley.webhooks.delete(subscription.id);
  receiver.close();
}
