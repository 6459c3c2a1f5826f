import { ApiError, invalidField } from "./api-error.ts";

const maxDepth = 32;

/** Where a walk is: the keys that lead to a value. Joined only for an error, because most values have none. */
interface Walk {
  root: string;
  keys: string[];
  leavesItems: boolean;
}

/**
 * Rejects what PostgreSQL and JSON cannot store (NUL, unpaired surrogates, infinity), keys that can cause prototype pollution when an
 * object is copied, and deeply nested values. Replaces -0 by 0: PostgreSQL's JSON has no -0, so that comparing with a
 * stored value would find a change.
 *
 * @param root path of the value in error messages
 * @param options.leavesItems does not check texts, numbers and levels, because a handler checks them item by item
 * @throws ApiError 400
 */
export function checkValues(value: unknown, root: string, { leavesItems = false } = {}): void {
  check(value, { root, keys: [], leavesItems });
}

function check(value: unknown, walk: Walk): void {
  if (walk.leavesItems && walk.keys.length >= maxDepth) return;
  if (typeof value === "string") checkText(value, walk);
  else if (typeof value === "number") checkNumber(value, walk);
  else if (Array.isArray(value)) {
    requireLevel(walk);
    for (let index = 0; index < value.length; index += 1) checkMember(value, index, walk);
  } else if (typeof value === "object" && value !== null) {
    const keys = Object.keys(value);
    requireLevel(walk);
    for (const key of keys) {
      checkKey(key, value, walk);
      checkMember(value as Record<string, unknown>, key, walk);
    }
  }
}

function requireLevel(walk: Walk): void {
  if (walk.keys.length < maxDepth) return;
  throw invalidField(pathOf(walk), `must not be nested more than ${maxDepth} levels deep`);
}

function checkMember<Key extends string | number>(parent: Record<Key, unknown>, key: Key, walk: Walk): void {
  const member = parent[key];
  if (Object.is(member, -0)) parent[key] = 0;
  if (typeof member === "boolean" || member === null) return;
  walk.keys.push(String(key));
  check(member, walk);
  walk.keys.pop();
}

function checkKey(key: string, parent: object, walk: Walk): void {
  if (key === "__proto__" || (key === "constructor" && hasPrototype(parent)))
    throw new ApiError(
      400,
      "invalid_request",
      `The body contains the key ${key}, which is not allowed. Rename or remove it.`,
    );
  checkText(key, walk);
}

function hasPrototype(parent: object): boolean {
  return Object.hasOwn(Object((parent as Record<string, unknown>)["constructor"]), "prototype");
}

function checkText(text: string, walk: Walk): void {
  if (walk.leavesItems || (text.isWellFormed() && !text.includes("\0"))) return;
  throw invalidField(pathOf(walk), "must not contain a NUL character or an unpaired surrogate");
}

function checkNumber(value: number, walk: Walk): void {
  if (walk.leavesItems || Number.isFinite(value)) return;
  throw invalidField(pathOf(walk), "must be a number that fits in 64 bits (double precision)");
}

const pathOf = ({ root, keys }: Walk): string => [root, ...keys].join("/");
