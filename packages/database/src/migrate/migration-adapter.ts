import { randomUUID } from "node:crypto";
import {
  DriverAdapterError,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
} from "@prisma/driver-adapter-utils";
import pg from "pg";
import { connectionOptions, withDatabase } from "../connection-options.ts";
import { columnType, typeParsers } from "./column-types.ts";

/**
 * The schema engine's way to the database, over one connection. Prisma's own adapter will not do: it cuts scripts at
 * every semicolon, also within functions, and knows few of the types in PostgreSQL's catalog.
 */
export function migrationAdapter(url: string, client: pg.Client): SqlMigrationAwareDriverAdapterFactory {
  return {
    provider: "postgres",
    adapterName: "parley",
    connect: async () => adapterOver(client),
    async connectToShadowDb() {
      const name = `parley_shadow_${randomUUID()}`;
      await client.query(`CREATE DATABASE "${name}" TEMPLATE template0`);
      const shadow = new pg.Client(connectionOptions(withDatabase(url, name)));
      await shadow.connect();
      return adapterOver(shadow, async () => {
        await shadow.end();
        await client.query(`DROP DATABASE "${name}" WITH (FORCE)`);
      });
    },
  };
}

function adapterOver(client: pg.Client, dispose = async () => {}): SqlDriverAdapter {
  const run = ({ sql, args }: SqlQuery) =>
    client.query({ text: sql, values: args, rowMode: "array", types: typeParsers }).catch(explain);
  return {
    provider: "postgres",
    adapterName: "parley",
    async queryRaw(query) {
      const { fields, rows } = await run(query);
      return {
        columnNames: fields.map((field) => field.name),
        columnTypes: fields.map((field) => columnType(field.dataTypeID)),
        rows,
      };
    },
    async executeRaw(query) {
      return (await run(query)).rowCount ?? 0;
    },
    // PostgreSQL runs a script in one transaction: it happens entirely or not at all.
    async executeScript(script) {
      await client.query(script).catch((error: unknown) => explain(error, script));
    },
    async startTransaction() {
      throw new Error("The schema engine was not known to start transactions.");
    },
    getConnectionInfo: () => ({ supportsRelationJoins: false }),
    dispose,
  };
}

/**
 * Puts the server's error into the form that the schema engine understands. With `script`, into the form that people
 * do: where the engine is given a code that it knows, it replaces the message by a poorer one.
 */
function explain(error: unknown, script?: string): never {
  if (!(error instanceof pg.DatabaseError)) throw error;
  const { code = "", severity = "ERROR", position, detail, column, hint } = error;
  const line = script?.slice(0, Number(position)).split("\n").length;
  const place = position === undefined ? code : `${code}, line ${line}`;
  const words =
    script === undefined
      ? { code, message: error.message }
      : { code: "", message: `${error.message} (${place})` };
  throw new DriverAdapterError({ kind: "postgres", severity, detail, column, hint, ...words });
}
