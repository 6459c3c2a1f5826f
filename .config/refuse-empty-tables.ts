import { describe, test } from "vitest";

/** Makes `test.each` and `describe.each` throw without cases, because such a test always passes. */
for (const api of [test, describe]) {
  const each = api.each as (...table: unknown[]) => unknown;
  const checked = function checked(this: unknown, ...table: unknown[]) {
    if (Array.isArray(table[0]) && table[0].length === 0) throw new Error("each: the table has no cases");
    return each.apply(this, table);
  };
  if (api.each.name !== checked.name) Object.assign(api, { each: checked });
}
