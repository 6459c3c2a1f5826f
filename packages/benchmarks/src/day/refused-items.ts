import { createAjv, description } from "@parley/contract";
import type { Random } from "../harness/random.ts";
import { type Item, type ItemType, itemSchema } from "./item.ts";

const ajv = createAjv({ useDefaults: false });
const conforms = ajv
  .addSchema(description, "contract")
  .compile({ $ref: "contract#/components/schemas/BatchItem" });

/** Values; no attribute accepts all of them. */
const values = [
  null,
  true,
  -1,
  1e10,
  "",
  "no email",
  "2026-02-30T10:00:00Z",
  "x".repeat(21_000),
  [],
  { a: 1 },
];

/** Attributes that the schemas accept, but the rules refuse for an existing record. */
const contradictions: Partial<Record<ItemType, object[]>> = {
  lead: [{ chatbot_external_id: "other-bot" }, { source: "a\0b" }],
  conversation: [{ chatbot_external_id: "other-bot" }],
  message: [{ text: "Another text" }],
  meeting: [{ ends_at: "2001-01-01T00:00:00Z" }, { timezone: "Mars/Olympus" }],
  tool_run: [{ tool: "another_tool" }, { duration_ms: 1_000 }],
  usage_record: [{ occurred_at: "2001-01-01T00:00:00Z" }],
};

/**
 * Returns an item that must be refused, whenever and however often it is sent.
 *
 * @param earlier items of the same conversation, at least one
 */
export function refusedItem(random: Random, earlier: Item[]): unknown {
  const item = random.pick(earlier);
  const { properties, required } = itemSchema(item.type);
  const changed = (attributes: object) => ({ ...item, attributes: { ...item.attributes, ...attributes } });
  const references = Object.keys(properties).filter((field) => field.endsWith("_external_id"));
  const malformed = [
    null,
    [],
    "a lead",
    { ...item, type: "lightbulb" },
    { ...item, external_id: "x".repeat(201) },
    changed({ mood: "bad" }),
    ...required.map((field) => changed({ [field]: undefined })),
    ...Object.keys(properties).flatMap((field) => values.map((value) => changed({ [field]: value }))),
  ].filter((candidate) => !conforms(candidate));
  const groups = [
    malformed,
    references.map((field) => changed({ [field]: "no-such-record" })),
    (contradictions[item.type] ?? []).map(changed),
    afterEnd(earlier),
  ];
  return random.pick(random.pick(groups.filter((group) => group.length > 0)));
}

/** Returns a message to a conversation that has ended, and the attempt to open it again. */
function afterEnd(earlier: Item[]): unknown[] {
  const ended = earlier.find((one) => one.type === "conversation" && one.attributes.status === "ended");
  if (!ended) return [];
  const message = { conversation_external_id: ended.external_id, role: "visitor", text: "One more thing" };
  return [
    { type: "message", external_id: `${ended.external_id}/late`, attributes: message },
    { ...ended, attributes: { ...ended.attributes, status: "open" } },
  ];
}
