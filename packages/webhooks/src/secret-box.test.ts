import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createSecretBox, createSigningSecret } from "./secret-box.ts";

const box = createSecretBox(randomBytes(32));

test("opens what it sealed, for the same organization and key alone", () => {
  const secret = createSigningSecret();
  expect(secret).toMatch(/^parley_ws_[A-Za-z0-9_-]{43}$/);
  const sealed = box.seal(secret, "a");
  expect(Buffer.from(sealed).includes(secret)).toBe(false);
  expect(box.open(sealed, "a")).toBe(secret);
  expect(() => box.open(sealed, "b")).toThrow("unable to authenticate data");
  expect(() => createSecretBox(randomBytes(32)).open(sealed, "a")).toThrow("unable to authenticate data");
  const changed = Uint8Array.from(sealed);
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
  expect(() => box.open(changed, "a")).toThrow("unable to authenticate data");
  expect(() => box.open(Uint8Array.from([9, ...sealed.slice(1)]), "a")).toThrow("unknown version 9");
});

test("seals the same secret differently each time", () => {
  expect(box.seal("x", "a")).not.toEqual(box.seal("x", "a"));
});
