import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createSecretBox, createSigningSecret } from "./secret-box.ts";

const box = createSecretBox(randomBytes(32));

test("decrypts a secret only with the same owner and key", () => {
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
  expect(() => box.open(Uint8Array.from([9, ...sealed.slice(1)]), "a")).toThrow(
    "unknown version of an encrypted secret: 9",
  );
});

test("encrypts the same secret differently each time", () => {
  expect(box.seal("x", "a")).not.toEqual(box.seal("x", "a"));
});

test("uses old keys only to decrypt", () => {
  const [old, older, current] = [randomBytes(32), randomBytes(32), randomBytes(32)];
  const both = createSecretBox(current, [old, older]);
  for (const key of [current, old, older]) {
    const sealed = createSecretBox(key).seal("secret", "a");
    expect(both.open(sealed, "a")).toBe("secret");
    expect(() => both.open(sealed, "b")).toThrow("unable to authenticate data");
  }
  expect(createSecretBox(current).open(both.seal("secret", "a"), "a")).toBe("secret");
  expect(() => both.open(createSecretBox(randomBytes(32)).seal("secret", "a"), "a")).toThrow(
    "unable to authenticate data",
  );
});

test("re-encrypts only secrets that an old key encrypted", () => {
  const [old, current] = [randomBytes(32), randomBytes(32)];
  const both = createSecretBox(current, [old]);
  const resealed = both.reseal(createSecretBox(old).seal("secret", "a"), "a");
  expect(createSecretBox(current).open(resealed ?? new Uint8Array(), "a")).toBe("secret");
  expect(both.reseal(both.seal("secret", "a"), "a")).toBeNull();
  expect(() => both.reseal(both.seal("secret", "b"), "a")).toThrow("unable to authenticate data");
  expect([both.hasOldKeys, box.hasOldKeys]).toEqual([true, false]);
});
