/**
 * Returns a copy of a JSON value in which `overrides` replaces values. Objects are merged; arrays and all other values are
 * replaced. `undefined` replaces nothing.
 */
export function merged(value: unknown, overrides: unknown): unknown {
  if (!isObject(overrides)) return structuredClone(overrides === undefined ? value : overrides);
  const base = isObject(value) ? value : {};
  return Object.fromEntries(
    Object.keys({ ...base, ...overrides }).map((name) => [name, merged(base[name], overrides[name])]),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
