import { randomBytes } from "node:crypto";
import { description, pages } from "@parley/contract";

/** The API and the pages in one document. Components of one name are the same in both. */
const components = Object.fromEntries(
  ["parameters", "schemas"].map((kind) => [
    kind,
    {
      ...description.components[kind as "schemas"],
      ...pages.components[kind as "schemas"],
    },
  ]),
);
const allPaths: Record<string, object>[] = [description.paths, pages.paths];

/** Returns the path item of a path, with the operations of the API and of the pages. */
export function pathItem(path: string): Record<string, unknown> {
  return Object.assign({}, ...allPaths.map((paths) => paths[path]));
}

/** Keywords of JSON Schema from which hostile values are derived. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  maxLength?: number;
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  items?: Schema;
  oneOf?: Schema[];
  allOf?: Schema[];
}

/** Position in a JSON body, and raw JSON texts to put there. */
export interface Place {
  path: string[];
  values: string[];
}

/** Follows `$ref`s within the contract. */
export function resolve<Node extends { $ref?: string }>(node: Node): Node {
  if (node.$ref === undefined) return node;
  const keys = node.$ref
    .slice(2)
    .split("/")
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  const found = keys.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], { components });
  return resolve(found as Node);
}

/** Returns every position of a body, including those missing in its example. In arrays, only the first item counts. */
export function placesOf(schema: Schema, path: string[] = []): Place[] {
  const { properties = {}, items, oneOf = [], allOf = [] } = resolve(schema);
  return [
    { path, values: jsonFor(resolve(schema)) },
    ...Object.entries(properties).flatMap(([name, member]) => placesOf(member, [...path, name])),
    ...(items ? placesOf(items, [...path, "0"]) : []),
    ...[...oneOf, ...allOf].flatMap((part) => placesOf(part, path)),
  ];
}

/** Returns the body with raw JSON at a position. Creates missing parents. */
export function withValue(body: unknown, path: string[], raw: string): string {
  const token = `@${randomBytes(8).toString("hex")}@`;
  const copy = { body: structuredClone(body) };
  let at = copy as unknown as Record<string, unknown>;
  let key = "body";
  for (const next of path) {
    if (typeof at[key] !== "object" || at[key] === null) at[key] = next === "0" ? [] : {};
    at = at[key] as Record<string, unknown>;
    key = next;
  }
  at[key] = token;
  return JSON.stringify(copy.body).replace(`"${token}"`, () => raw);
}

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

/** Values of other types, and values that are valid in JSON but rarely expected. */
const odd = [
  "null",
  "true",
  "-0",
  "1e400",
  "-1e400",
  '""',
  "[]",
  "{}",
  nested(31),
  nested(40),
  nested(20_000),
];

const uuid = "01928c5e-7a10-7c44-8d21-0b6de2f0a001";

const texts: Record<string, string[]> = {
  "date-time": [
    `2026-03-01T09:00:00.${"1".repeat(150)}Z`,
    `2026-03-01T09:00:00.${"9".repeat(5_000)}+01:00`,
    "2026-03-01T09:00:00.1234567890123Z",
    "2026-03-01T09:00:00.999999999Z",
    "2016-12-31T23:59:60Z",
    "2026-03-01T24:00:00Z",
    "2026-02-29T09:00:00Z",
    "0000-01-01T00:00:00Z",
    "0001-01-01T00:00:00Z",
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59.999999999Z",
    "9999-12-31T23:59:59.999999999+14:00",
    "9999-12-31T23:59:59.999999999-14:59",
    "+010000-01-01T00:00:00Z",
    "-000001-01-01T00:00:00Z",
    "2026-03-01t09:00:00z",
    "2026-03-01T09:00:00-00:00",
    "2026-03-01T09:00:00+24:00",
    "2026-03-01T09:00:00+14:59",
    "2026-03-01 09:00:00Z",
    "2026-W09-7T09:00:00Z",
    "infinity",
    "now",
    "2026-03-01T09:00:00Z BC",
  ],
  uuid: [
    `urn:uuid:${uuid}`,
    `{${uuid}}`,
    uuid.replaceAll("-", ""),
    uuid.toUpperCase(),
    `${uuid}0`,
    `${uuid}\n`,
    "0".repeat(36),
    "00000000-0000-0000-0000-000000000000",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
  ],
  email: ["a@b", "a\u0001@example.com", `${"a".repeat(300)}@example.com`, "ü@例え.jp", '"a b"@example.com'],
  uri: [
    "https://",
    "https://[::1",
    "https://x:99999999/",
    "https://例え.jp/\u0007",
    `https://${"a.".repeat(1_000)}com/`,
    "https://example.com/%00",
    "https://example.com/%ED%A0%80",
    "javascript:0",
  ],
};

/** Returns random characters of four bytes each, drawn at once for speed. */
function manyBytes(characters: number): string {
  const random = randomBytes(2 * characters);
  return Array.from({ length: characters }, (_, i) =>
    String.fromCodePoint(0x20000 + (random.readUInt16LE(2 * i) % 0xa000)),
  ).join("");
}

/** Returns texts for a position, well-formed or not. */
export function textsFor({ format = "", maxLength }: Schema): string[] {
  return [
    ...(texts[format] ?? []),
    "\0",
    "a\0b",
    "\ud800",
    "a\udc00b",
    "\ufeff\u202e\u2028",
    "'; DROP TABLE leads; --\\",
    "%00%s{0}$1",
    "__proto__",
    "NaN",
    manyBytes(Math.min(maxLength ?? 50_000, 50_000)), // Hard to compress, for index size limits.
    "x".repeat(200_000),
  ];
}

/** Returns numbers for a position, as JSON. */
const numbers = [
  ...["-1", "0.5", "1e-400", "1e21", "1e308", "2147483647", "2147483648", "-2147483649", "9007199254740993"],
  ...["9223372036854775807", "9223372036854775808", "9".repeat(400), `0.${"1".repeat(400)}`],
];

/** Returns integers for a query. */
export const integerTexts = [
  ...[
    "-1",
    "-0",
    "1.0",
    "1e1",
    "1e400",
    "0x10",
    " 1",
    "2147483547",
    "2147483647",
    "2147483648",
    "NaN",
    "Infinity",
  ],
  ...["9223372036854775808", "9".repeat(400)],
];

/** Returns members of an object that allows any members. */
const members = [
  ...["a\0b", "\ud800", "__proto__", "constructor", "", "x".repeat(200_000), manyBytes(20_000)].map(
    (key) => `{${JSON.stringify(key)}: 1}`,
  ),
  ...[
    "1e400",
    "1e308",
    "1e-400",
    "-0",
    "9".repeat(400),
    '"a\\u0000b"',
    '"\\ud800"',
    nested(29),
    nested(500),
  ].map((value) => `{"key": ${value}}`),
  `{${Array.from({ length: 100 }, (_, i) => `"${i}": ${i}`).join()}}`,
  `{${Array.from({ length: 20_000 }, (_, i) => `"${i}": ${i}`).join()}}`,
  `{"constructor": {"prototype": {}}}`,
  `{"key": 1, "key": "\\u0000"}`,
];

function jsonFor(schema: Schema): string[] {
  const types = [schema.type ?? []].flat();
  return [
    ...odd,
    ...(types.includes("string") ? textsFor(schema).map((text) => JSON.stringify(text)) : []),
    ...(types.includes("integer") || types.includes("number") ? numbers : []),
    ...(types.includes("object") && schema.additionalProperties === true ? members : []),
    ...(types.includes("array") ? [`[${"null,".repeat(50_000)}null]`, `[${'"x",'.repeat(50_000)}"x"]`] : []),
  ];
}
