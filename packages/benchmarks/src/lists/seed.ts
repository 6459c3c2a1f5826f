import { createTenant, type Tenant } from "../harness/create-tenant.ts";
import { withClient } from "../harness/with-client.ts";

export type Seeded = Record<"large" | "small", Tenant>;

/** One organization of 100,000 leads, one of 200, and twenty others of 5,000 each beside them. */
export async function seedLeads(databaseUrl: string): Promise<Seeded> {
  const others = Array.from({ length: 20 }, () => 5_000);
  const tenants: Tenant[] = [];
  await withClient(databaseUrl, async (client) => {
    for (const leads of [100_000, 200, ...others]) {
      const tenant = await createTenant(client, `Organization of ${leads}`, "business");
      await client.query(leadsOfOneChatbot, [leads, tenant.organizationId]);
      tenants.push(tenant);
    }
    await client.query("VACUUM ANALYZE");
  });
  const [large, small] = tenants;
  if (!large || !small) throw new Error("the organizations were not created");
  return { large, small };
}

/** $1 leads, $2 the organization's id. */
const leadsOfOneChatbot = `
  WITH bot AS (
    INSERT INTO chatbots (organization_id, name, model)
    VALUES ($2::uuid, 'Sales assistant', 'parley-large') RETURNING id
  )
  INSERT INTO leads (organization_id, chatbot_id, contact_name, contact_email, contact_phone, contact_company,
                     status, score, qualification, source, created_at, updated_at, qualified_at)
  SELECT $2::uuid, bot.id, 'Ada Novak ' || i, 'ada.' || i || '@example.com', '+44 20 7946 ' || i, 'Novak Ltd',
         CASE WHEN i % 3 = 0 THEN 'qualified' ELSE 'new' END, i % 101,
         jsonb_build_object('budget', '10-50k', 'timeline', i % 12 || ' months', 'decision_maker', true),
         '/pricing', now() - i * interval '1 minute', now() - i * interval '1 minute',
         CASE WHEN i % 3 = 0 THEN now() END
  FROM bot, generate_series(1, $1::int) AS i`;
