import type { Database } from "../client.ts";

/** Table with rows of organizations. */
export interface OrganizationTable {
  /** Name, quoted if necessary. */
  name: string;
  /** SQL condition that selects the rows of the organization `$1`. */
  condition: string;
  /** Whether an index finds these rows without a table scan. */
  indexed: boolean;
}

interface OrganizationTables {
  /** Tables with direct or indirect foreign keys to the organization, referring tables before referenced ones. */
  referring: OrganizationTable[];
  /** Tables with an `organization_id` and no foreign keys, such as events and deliveries. */
  loose: OrganizationTable[];
}

/** Tables that are kept when the organization is deleted. */
const kept = new Set(["audit_log"]);

const ownCondition = "organization_id = $1::uuid";

interface TableRow {
  name: string;
  hasOrganizationId: boolean;
  indexed: boolean;
}

interface ForeignKey {
  child: string;
  parent: string;
  childColumns: string[];
  parentColumns: string[];
  cascades: boolean;
}

/**
 * Reads from the system catalog which tables have rows of organizations: all tables with an `organization_id`, and
 * tables with a cascading foreign key to such a table. Because it reads the catalog, it also finds new tables.
 */
export async function organizationTables(db: Pick<Database, "$queryRaw">): Promise<OrganizationTables> {
  const tables = await readTables(db);
  const keys = await readForeignKeys(db);
  const sorted = childrenFirst("organizations", keys);
  const describe = (name: string) => describeTable(name, tables, keys);
  return {
    referring: sorted.filter((name) => name !== "organizations").flatMap(describe),
    loose: [...tables.keys()].filter((name) => !sorted.includes(name) && !kept.has(name)).flatMap(describe),
  };
}

/** Reads the tables. Includes partitions, but not partitioned tables, which have no rows. */
async function readTables(db: Pick<Database, "$queryRaw">): Promise<Map<string, TableRow>> {
  const rows = await db.$queryRaw<TableRow[]>`
    SELECT c.oid::regclass::text AS name, a.attnum IS NOT NULL AS "hasOrganizationId",
           EXISTS (SELECT FROM pg_index WHERE indrelid = c.oid AND indisvalid AND indpred IS NULL AND indkey[0] = a.attnum)
             AS indexed
    FROM pg_class c
    LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'organization_id' AND NOT a.attisdropped
    WHERE c.relkind = 'r' AND c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'organizations'::regclass)
    ORDER BY name`;
  return new Map(rows.map((row) => [row.name, row]));
}

async function readForeignKeys(db: Pick<Database, "$queryRaw">): Promise<ForeignKey[]> {
  return db.$queryRaw<ForeignKey[]>`
    SELECT conrelid::regclass::text AS child, confrelid::regclass::text AS parent, confdeltype = 'c' AS cascades,
           ARRAY(SELECT quote_ident(attname) FROM unnest(conkey) WITH ORDINALITY AS k (attnum, place)
                 JOIN pg_attribute USING (attnum) WHERE attrelid = conrelid ORDER BY place) AS "childColumns",
           ARRAY(SELECT quote_ident(attname) FROM unnest(confkey) WITH ORDINALITY AS k (attnum, place)
                 JOIN pg_attribute USING (attnum) WHERE attrelid = confrelid ORDER BY place) AS "parentColumns"
    FROM pg_constraint WHERE contype = 'f' ORDER BY conname`;
}

/** Returns a table and all tables with direct or indirect foreign keys to it, referring tables first. */
function childrenFirst(root: string, keys: ForeignKey[]): string[] {
  const sorted: string[] = [];
  const seen = new Set<string>();
  const visit = (name: string) => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const { parent, child } of keys) if (parent === name) visit(child);
    sorted.push(name);
  };
  visit(root);
  return sorted;
}

/** Returns the description of a table; empty for a partitioned table, and for a table whose rows belong to no organization. */
function describeTable(name: string, tables: Map<string, TableRow>, keys: ForeignKey[]): OrganizationTable[] {
  const table = tables.get(name);
  if (table?.hasOrganizationId) return [{ name, condition: ownCondition, indexed: table.indexed }];
  const condition = table && conditionByParent(name, tables, keys, new Set());
  return condition ? [{ name, condition, indexed: true }] : [];
}

/**
 * Returns the condition for a table without `organization_id`, which uses the organization of the row that its foreign
 * key refers to.
 */
function conditionByParent(
  name: string,
  tables: Map<string, TableRow>,
  keys: ForeignKey[],
  visited: Set<string>,
): string | undefined {
  if (visited.has(name)) return undefined;
  visited.add(name);
  for (const { child, parent, cascades, childColumns, parentColumns } of keys) {
    if (child !== name || !cascades) continue;
    const ofParent = tables.get(parent)?.hasOrganizationId
      ? ownCondition
      : conditionByParent(parent, tables, keys, visited);
    if (ofParent === undefined) continue;
    return `(${childColumns.join(", ")}) IN (SELECT ${parentColumns.join(", ")} FROM ${parent} WHERE ${ofParent})`;
  }
  return undefined;
}
