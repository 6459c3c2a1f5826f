import Fastify from "fastify";
import pg from "pg";
import { cpuSeconds, serve } from "../harness/serve.ts";
import { leadsStatement, type Statement } from "./statement.ts";

const limit = 20;

interface Row {
  total: number;
  id: string;
  contactName: string | null;
  contactEmail: string | null;
  contactPhone: string | null;
  contactCompany: string | null;
  chatbotId: string;
  status: string;
  score: number;
  qualification: object;
  source: string | null;
  createdAt: Date;
  updatedAt: Date;
  qualifiedAt: Date | null;
  convertedAt: Date | null;
}

const commands = {
  /** Starts a server with one route, which runs the statement and writes the same JSON; resolves with its address. */
  async start(databaseUrl: string, organizationIds: string[]): Promise<string> {
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
    const statements = new Map<string, Statement>();
    for (const id of organizationIds) statements.set(id, await leadsStatement(id, limit));
    const app = Fastify();
    app.get<{ Params: { id: string } }>("/organizations/:id/leads", async (request, reply) => {
      const statement = statements.get(request.params.id);
      if (!statement) return reply.code(404).send();
      const { rows } = await pool.query<Row>({ name: "leads", ...statement });
      reply.type("application/json; charset=utf-8");
      return JSON.stringify(leadsPage(rows));
    });
    return app.listen({ host: "127.0.0.1", port: 0 });
  },
  cpuSeconds,
};

export type BareServer = typeof commands;

serve(commands);

function leadsPage(rows: Row[]) {
  const total = rows[0]?.total ?? 0;
  const meta = { api_version: "2024-01-01", total, limit, offset: 0, has_more: rows.length < total };
  return { data: rows.map(lead), meta: { ...meta, count: rows.length } };
}

function lead(row: Row) {
  return {
    id: row.id,
    type: "lead",
    attributes: {
      contact: {
        name: row.contactName,
        email: row.contactEmail,
        phone: row.contactPhone,
        company: row.contactCompany,
      },
      chatbot_id: row.chatbotId,
      status: row.status,
      score: row.score,
      qualification: row.qualification,
      source: row.source,
      created_at: row.createdAt.toISOString(),
      updated_at: row.updatedAt.toISOString(),
      qualified_at: row.qualifiedAt?.toISOString() ?? null,
      converted_at: row.convertedAt?.toISOString() ?? null,
    },
  };
}
