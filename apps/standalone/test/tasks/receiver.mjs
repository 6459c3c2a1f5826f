import { createServer } from "node:http";
import { verifyWebhook, WebhookVerificationError } from "@parley/sdk/webhooks";

const { PORT, PARLEY_WEBHOOK_SECRET: secret } = process.env;
if (!PORT || !secret) {
  console.error("Set PORT and PARLEY_WEBHOOK_SECRET.");
  process.exit(1);
}

const MAX_BODY = 1024 * 1024;
const MAX_SEEN = 100_000;
const seen = new Set(); // The oldest first.

/** Whether this delivery is new: every retry has the same ID. */
function isNew({ headers }) {
  const id = headers["x-parley-delivery"] ?? headers["x-parley-signature"];
  if (seen.has(id)) return false;
  seen.add(id);
  if (seen.size > MAX_SEEN) seen.delete(seen.values().next().value);
  return true;
}

async function readBody(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= MAX_BODY) chunks.push(chunk); // Reads the rest without storing it, so that the sender gets the response.
  }
  return size > MAX_BODY ? undefined : Buffer.concat(chunks);
}

async function handle(request) {
  const payload = await readBody(request);
  if (request.method !== "POST" || !payload) return 400;
  let event;
  try {
    event = await verifyWebhook({ payload, headers: request.headers, secret });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    console.error(`rejected: ${error.code}`);
    return error.code.endsWith("_secret") ? 500 : 400; // With a wrong configuration, Parley must retry.
  }
  if (event.type === "lead.qualified" && isNew(request)) {
    const { contact, score } = event.data.attributes;
    console.log(`qualified ${contact.email ?? "-"} ${score}`);
  }
  return 204;
}

const server = createServer((request, response) => {
  handle(request).then(
    (status) => response.writeHead(status, server.listening ? {} : { Connection: "close" }).end(),
    (error) => {
      console.error(error);
      if (!response.headersSent) response.writeHead(500).end();
    },
  );
});

// Requests in flight are answered first.
process.once("SIGTERM", () => {
  server.close();
  setTimeout(() => server.closeAllConnections(), 10_000).unref();
});

server.listen(Number(PORT), () => console.log("listening"));
