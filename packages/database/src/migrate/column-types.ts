import { type ColumnType, ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import pg from "pg";

const { builtins } = pg.types;
/** Array types, which `pg` has no names for. */
const arrays = {
  bool: 1000,
  char: 1002,
  name: 1003,
  int2: 1005,
  int4: 1007,
  text: 1009,
  int8: 1016,
  oid: 1028,
};

/** By PostgreSQL's type number: how the schema engine is to read what the catalog and `_prisma_migrations` hold. */
const columnTypes: Record<number, ColumnType> = {
  [builtins.BOOL]: ColumnTypeEnum.Boolean,
  [builtins.INT2]: ColumnTypeEnum.Int32,
  [builtins.INT4]: ColumnTypeEnum.Int32,
  [builtins.INT8]: ColumnTypeEnum.Int64,
  [builtins.OID]: ColumnTypeEnum.Int64,
  [builtins.CHAR]: ColumnTypeEnum.Character,
  [builtins.TIMESTAMPTZ]: ColumnTypeEnum.DateTime,
  [arrays.bool]: ColumnTypeEnum.BooleanArray,
  [arrays.char]: ColumnTypeEnum.CharacterArray,
  [arrays.name]: ColumnTypeEnum.TextArray,
  [arrays.int2]: ColumnTypeEnum.Int32Array,
  [arrays.int4]: ColumnTypeEnum.Int32Array,
  [arrays.text]: ColumnTypeEnum.TextArray,
  [arrays.int8]: ColumnTypeEnum.Int64Array,
  [arrays.oid]: ColumnTypeEnum.Int64Array,
};

/** All else is read as the text it is sent as. */
export function columnType(oid: number): ColumnType {
  return columnTypes[oid] ?? ColumnTypeEnum.Text;
}

/** `pg`'s own parsers, but for times (the engine wants RFC 3339; the session is in UTC) and arrays `pg` does not know. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser(oid: number) {
    if (oid === builtins.TIMESTAMPTZ)
      return (text: string) => text.replace(" ", "T").replace(/\+00$/, "+00:00");
    if (oid === arrays.name || oid === arrays.char) return pg.types.getTypeParser(arrays.text);
    return pg.types.getTypeParser(oid);
  },
};
