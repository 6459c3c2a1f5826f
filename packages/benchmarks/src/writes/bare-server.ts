import { randomUUIDv7 } from "node:crypto";
import { createPool } from "@parley/database";
import Fastify from "fastify";
import { cpuSeconds, serve } from "../harness/child.ts";

interface NewLead {
  chatbot_id: string;
  contact: { name: string };
  score: number;
}

const commands = {
  /** Starts a server with one route, which inserts a lead, its event and a delivery in a transaction; resolves with its address. */
  async start(databaseUrl: string, organizationId: string): Promise<string> {
    const pool = createPool(databaseUrl, { poolSize: 10 });
    const app = Fastify();
    app.post<{ Body: NewLead }>("/leads", async ({ body }, reply) => {
      const client = await pool.connect();
      try {
        await client.query("BEGIN");
        const { chatbot_id, contact, score } = body;
        const inserted = await client.query({
          name: "lead",
          text: `INSERT INTO leads (organization_id, chatbot_id, contact_name, score) VALUES ($1, $2, $3, $4)
                 RETURNING *`,
          values: [organizationId, chatbot_id, contact.name, score],
        });
        const data = JSON.stringify({ data: inserted.rows[0] });
        await client.query({
          name: "event",
          text: `WITH event AS (
                   INSERT INTO events (id, organization_id, type, chatbot_id, body, created_at)
                   VALUES ($1, $2, 'lead.created', $3, $4, now())
                 )
                 INSERT INTO deliveries (organization_id, subscription_id, event_id)
                 SELECT $2, id, $1 FROM subscriptions WHERE organization_id = $2`,
          values: [randomUUIDv7(), organizationId, chatbot_id, data],
        });
        await client.query("COMMIT");
        return reply.code(201).type("application/json; charset=utf-8").send(data);
      } finally {
        client.release();
      }
    });
    return app.listen({ host: "127.0.0.1", port: 0 });
  },
  cpuSeconds,
};

export type BareServer = typeof commands;

serve(commands);
