// Uses the package in each project and returns a summary of the results.
export async function scenario({ sdk, webhooks, request, publicKey }, baseUrl) {
  const { Parley, NotFoundError, createPkce, poll } = sdk;
  const { signWebhook, verifyWebhook } = webhooks;
  const parley = new Parley({ baseUrl, accessToken: "parley_at_0" });

  let leads = 0;
  for await (const lead of parley.leads.list()) leads += lead.type === "lead" ? 1 : 0;

  let changes = 0;
  for await (const lead of poll(parley.leads, { since: "2026-01-01T00:00:00Z" })) {
    changes += lead.type === "lead" ? 1 : 0;
    if (changes === leads) break;
  }

  const { data } = await parley.leads.create({ chatbot_id: "b", contact: { name: "Ada 👋" } });
  const missing = await parley.tickets.get("missing").catch((error) => error);
  const isTyped = missing instanceof NotFoundError && missing.requestId === "request-1";

  const secret = "parley_ws_1";
  const payload = JSON.stringify({ type: "lead.created", data });
  const headers = await signWebhook({ payload, secret });
  const event = await verifyWebhook({ payload: new TextEncoder().encode(payload), headers, secret });
  const rejected = await verifyWebhook({ payload: `${payload} `, headers, secret }).catch(({ code }) => code);

  // Signed with openssl.
  const signature =
    "4OD8U4AqHIdJQuqqwmk1ngG2DvbaURAhQTkYMsdO9kDWADgOTfWoEzeOicpeKBxoxQbK10XA3PUCwUMgAJ1WCw==";
  const signed = {
    payload: '{"type":"lead.created","data":{"name":"Ada Novak"}}',
    headers: {
      "webhook-id": "01928c61-2c3d-7e4f-8a5b-6c7d8e9f0a1b",
      "webhook-timestamp": "1772359200",
      "webhook-signature": `v1a,${signature}`,
    },
    publicKeys: { keys: [{ kty: "OKP", crv: "Ed25519", x: "X5w1kC5YiqIjCd9OxUS0lIgWBoMCxY0cjFV5fGl5IoM" }] },
    now: () => 1772359200000,
  };
  const { verifyWebhookWithPublicKey } = publicKey;
  const verified = await verifyWebhookWithPublicKey(signed);
  const forged = await verifyWebhookWithPublicKey({ ...signed, payload: "{}" }).catch(({ code }) => code);

  const handled = [];
  const receive = request.receiveWebhooks({
    secret,
    on: { "lead.created": ({ type }) => handled.push(type) },
  });
  const response = await receive(
    new Request("http://localhost/", { method: "POST", headers, body: payload }),
  );

  const { codeVerifier, codeChallenge } = await createPkce();
  return [
    `${leads} leads`,
    `${changes} changes`,
    data.id,
    isTyped,
    event.type,
    rejected,
    `${verified.type} ${forged}`,
    `${response.status} ${handled.join()}`,
    `${codeVerifier.length} ${codeChallenge.length}`,
  ].join(", ");
}
