import {
  type ColumnType,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from "@prisma/driver-adapter-utils";
import pg from "pg";

const { BOOL, INT2, INT4, INT8, OID, CHAR, TIMESTAMPTZ } = pg.types.builtins;
/** Array types, which `pg` has no names for. */
const arrayOf = { bool: 1000, char: 1002, name: 1003, int2: 1005, int4: 1007, text: 1009, int8: 1016 };

/** How the engine reads the columns of PostgreSQL's catalogue and of `_prisma_migrations`; all others are text. */
const columnTypes: Record<number, ColumnType> = {
  [BOOL]: ColumnTypeEnum.Boolean,
  [INT2]: ColumnTypeEnum.Int32,
  [INT4]: ColumnTypeEnum.Int32,
  [INT8]: ColumnTypeEnum.Int64,
  [OID]: ColumnTypeEnum.Int64,
  [CHAR]: ColumnTypeEnum.Character,
  [TIMESTAMPTZ]: ColumnTypeEnum.DateTime,
  [arrayOf.bool]: ColumnTypeEnum.BooleanArray,
  [arrayOf.char]: ColumnTypeEnum.CharacterArray,
  [arrayOf.name]: ColumnTypeEnum.TextArray,
  [arrayOf.int2]: ColumnTypeEnum.Int32Array,
  [arrayOf.int4]: ColumnTypeEnum.Int32Array,
  [arrayOf.text]: ColumnTypeEnum.TextArray,
  [arrayOf.int8]: ColumnTypeEnum.Int64Array,
};

const types: pg.CustomTypesConfig = {
  getTypeParser(oid) {
    if (oid === TIMESTAMPTZ) return (text: string) => new Date(text).toISOString();
    return pg.types.getTypeParser(oid === arrayOf.name || oid === arrayOf.char ? arrayOf.text : oid);
  },
};

/**
 * Lets the schema engine read the schema of the database that the client is connected to. Prisma's own adapter cannot: it
 * refuses columns of PostgreSQL's type "char".
 */
export function catalogueReader(client: pg.Client): SqlMigrationAwareDriverAdapterFactory {
  const connect = async () => readOnlyAdapter(client);
  return { provider: "postgres", adapterName: "catalogue-reader", connect, connectToShadowDb: connect };
}

function readOnlyAdapter(client: pg.Client): SqlDriverAdapter {
  const refuse = () => Promise.reject(new Error("The schema engine only reads here."));
  return {
    provider: "postgres",
    adapterName: "catalogue-reader",
    async queryRaw({ sql, args }) {
      const { fields, rows } = await client.query({ text: sql, values: args, rowMode: "array", types });
      return {
        columnNames: fields.map((field) => field.name),
        columnTypes: fields.map((field) => columnTypes[field.dataTypeID] ?? ColumnTypeEnum.Text),
        rows,
      };
    },
    executeRaw: refuse,
    executeScript: refuse,
    startTransaction: refuse,
    dispose: async () => {},
  };
}
