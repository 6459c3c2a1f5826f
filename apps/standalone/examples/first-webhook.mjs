import { createServer } from "node:http";
import { Parley } from "@parley/sdk";
import { receiveWebhooks } from "@parley/sdk/webhooks/node";

const parley = new Parley(); // uses PARLEY_URL and PARLEY_TOKEN
for await (const lead of parley.leads.list({ status: "qualified" }))
  console.log("lead", lead.attributes.contact.name);

const receiver = receiveWebhooks({
  secret: process.env.PARLEY_WEBHOOK_SECRET ?? "",
  on: { "lead.created": ({ data }) => console.log("new lead", data.attributes.contact.name) },
});
createServer(receiver).listen(process.env.PORT ?? 3000, () => console.log("waiting for events"));
