import { apiVersion } from "@parley/contract";
import { type Database, type Lead, listRecords, type Prisma } from "@parley/database";
import Fastify from "fastify";
import pg from "pg";
import { cpuSeconds, serve } from "../harness/child.ts";

const limit = 20;

const commands = {
  /** Starts a server with one route, which runs the API's statement and writes the same JSON; resolves with its address. */
  async start(databaseUrl: string, organizationIds: string[]): Promise<string> {
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
    const statements = new Map<string, Prisma.Sql>();
    for (const id of organizationIds) statements.set(id, await leadsStatement(id));
    const app = Fastify();
    app.get<{ Params: { id: string } }>("/organizations/:id/leads", async (request, reply) => {
      const statement = statements.get(request.params.id);
      if (!statement) return reply.code(404).send();
      const { text, values } = statement;
      const { rows } = await pool.query<Lead & { total: number }>({ name: "leads", text, values });
      reply.type("application/json; charset=utf-8");
      const leads = rows.slice(0, limit);
      const meta = {
        api_version: apiVersion,
        total: rows[0]?.total ?? 0,
        limit,
        offset: 0,
        has_more: rows.length > limit,
        count: leads.length,
        next_cursor: rows.length > limit ? cursorOf(leads.at(-1)) : null,
      };
      return JSON.stringify({ data: leads.map(lead), meta });
    });
    return app.listen({ host: "127.0.0.1", port: 0 });
  },
  cpuSeconds,
};

export type BareServer = typeof commands;

serve(commands);

/** Returns the statement of `listRecords` itself. */
async function leadsStatement(organizationId: string): Promise<Prisma.Sql> {
  const captured: Prisma.Sql[] = [];
  const db = {
    select(statement: Prisma.Sql) {
      captured.push(statement);
      return Promise.resolve([]);
    },
  };
  await listRecords(db as unknown as Database, "leads", { organizationId }, { limit, offset: 0 });
  if (!captured[0]) throw new Error("listRecords issued no statement");
  return captured[0];
}

/** Returns a cursor like that of the API, with a constant instead of the hash of the request. */
function cursorOf(row?: Lead): string {
  return Buffer.from(JSON.stringify(["hashOfQuery", limit, row?.updatedAt.toISOString(), row?.id])).toString(
    "base64url",
  );
}

function lead(row: Lead) {
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
