import { type Database, listRecords, Prisma } from "@parley/database";

export interface Statement {
  text: string;
  values: unknown[];
}

/** The very statement with which the API lists an organization's leads, taken from `listRecords` itself. */
export async function leadsStatement(organizationId: string, limit: number): Promise<Statement> {
  const captured: Statement[] = [];
  const db = {
    $queryRaw(strings: TemplateStringsArray, ...values: unknown[]) {
      const { text, values: flat } = Prisma.sql(strings, ...values);
      captured.push({ text, values: flat });
      return Promise.resolve([]);
    },
  };
  await listRecords(db as unknown as Database, "leads", { organizationId }, { limit, offset: 0 });
  const [statement] = captured;
  if (!statement) throw new Error("listRecords asked the database nothing");
  return statement;
}
