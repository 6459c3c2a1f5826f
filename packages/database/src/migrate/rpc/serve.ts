import { createInterface } from "node:readline";
import type { EvaluateDataLossInput } from "@prisma/schema-engine-wasm/schema_engine_bg";
import type { Client } from "pg";
import { withMigrationLock } from "../migration-lock.ts";
import { type SchemaEngine, withSchemaEngine } from "../schema-engine.ts";
import { describeError } from "./errors.ts";

interface Request {
  id: number;
  method?: string;
  params?: unknown;
}

/** Answers requests, one after the other and each with an engine of its own, until stdin ends. */
export async function serve(url: string, datamodels: [path: string, content: string][]): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params } = JSON.parse(line) as Request;
    if (method === undefined) continue; // The CLI's answer to a `print` of ours.
    try {
      const run = (engine: SchemaEngine, client: Client) => call(engine, client, method, params);
      send({ id, result: (await withSchemaEngine(url, run, datamodels)) ?? null });
    } catch (error) {
      const data = { is_panic: false, ...describeError(error) };
      send({ id, error: { code: 4466, message: data.message, data } });
    }
  }
}

async function call(engine: SchemaEngine, client: Client, method: string, params: unknown): Promise<unknown> {
  if (method === "getDatabaseVersion") return engine.version();
  const operations = engine as unknown as Record<string, ((params: unknown) => Promise<unknown>) | undefined>;
  const operation = operations[method]?.bind(engine);
  if (operation === undefined) throw new Error(`The schema engine has no method ${method}.`);
  if (method === "evaluateDataLoss" || method === "createMigration") {
    // These two need a shadow database, but the engine asks for one in this method only, and then keeps it.
    const { migrationsList, filters } = params as EvaluateDataLossInput;
    await engine.diagnoseMigrationHistory({ migrationsList, filters, optInToShadowDatabase: true });
  }
  if (method === "applyMigrations") return withMigrationLock(client, () => operation(params));
  const result = await operation(params);
  if (method === "diff") print((result as { stdout: string | null }).stdout);
  return result;
}

/** The CLI shows a diff only if it is told to, by a request in the other direction. */
function print(content: string | null): void {
  if (content !== null) send({ id: 0, method: "print", params: { content } });
}

function send(message: { id: number } & Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}
