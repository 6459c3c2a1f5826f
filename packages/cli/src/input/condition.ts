import { InvalidArgumentError } from "@commander-js/extra-typings";
import type { FilterCondition } from "@parley/sdk";

const operators = ["equals", "not_equals", "in", "greater", "less", "exists"] as const;

/**
 * Collects conditions of a repeatable option, such as `data.attributes.score greater 80`. The values of `in` are separated by commas. Numbers, `true`,
 * `false` and `null` are read as JSON; to compare with such a text, write it in double quotes.
 *
 * @throws InvalidArgumentError
 */
export function conditionList(text: string, earlier: FilterCondition[] = []): FilterCondition[] {
  const [, field, name, value] =
    /^\s*(.+?)\s+(equals|not_equals|in|greater|less|exists)(?:\s+(.*))?$/s.exec(text) ?? [];
  const op = operators.find((operator) => operator === name);
  if (field === undefined || op === undefined) {
    throw new InvalidArgumentError(
      `Must be a field, an operator and a value, such as "data.attributes.score greater 80". Operators: ${operators.join(", ")}.`,
    );
  }
  if (value === undefined) return [...earlier, { field, op }];
  return [
    ...earlier,
    { field, op, value: op === "in" ? value.split(",").map(parsedValue) : parsedValue(value) },
  ];
}

type Value = string | number | boolean | null;

function parsedValue(text: string): Value {
  const trimmed = text.trim();
  const isJson = /^(true|false|null|-?\d+(\.\d+)?|".*")$/s.test(trimmed);
  try {
    return isJson ? (JSON.parse(trimmed) as Value) : trimmed;
  } catch {
    return trimmed;
  }
}
