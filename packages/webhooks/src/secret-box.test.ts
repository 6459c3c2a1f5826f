import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createSecretBox, createSigningSecret } from "./secret-box.ts";

const box = createSecretBox(randomBytes(32));

test("decrypts a secret only with the same owner and key", () => {
  const secret = createSigningSecret();
  expect(secret).toMatch(/^parley_ws_[A-Za-z0-9_-]{43}$/);
  const encrypted = box.encrypt(secret, "a");
  expect(Buffer.from(encrypted).includes(secret)).toBe(false);
  expect(box.decrypt(encrypted, "a")).toBe(secret);
  expect(() => box.decrypt(encrypted, "b")).toThrow("unable to authenticate data");
  expect(() => createSecretBox(randomBytes(32)).decrypt(encrypted, "a")).toThrow(
    "unable to authenticate data",
  );
  const changed = Uint8Array.from(encrypted);
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
  expect(() => box.decrypt(changed, "a")).toThrow("unable to authenticate data");
  expect(() => box.decrypt(Uint8Array.from([9, ...encrypted.slice(1)]), "a")).toThrow(
    "unknown version of an encrypted secret: 9",
  );
});

test("encrypts the same secret differently each time", () => {
  expect(box.encrypt("x", "a")).not.toEqual(box.encrypt("x", "a"));
});

test("uses old keys only to decrypt", () => {
  const [old, older, current] = [randomBytes(32), randomBytes(32), randomBytes(32)];
  const both = createSecretBox(current, [old, older]);
  for (const key of [current, old, older]) {
    const encrypted = createSecretBox(key).encrypt("secret", "a");
    expect(both.decrypt(encrypted, "a")).toBe("secret");
    expect(() => both.decrypt(encrypted, "b")).toThrow("unable to authenticate data");
  }
  expect(createSecretBox(current).decrypt(both.encrypt("secret", "a"), "a")).toBe("secret");
  expect(() => both.decrypt(createSecretBox(randomBytes(32)).encrypt("secret", "a"), "a")).toThrow(
    "unable to authenticate data",
  );
});

test("re-encrypts only secrets that an old key encrypted", () => {
  const [old, current] = [randomBytes(32), randomBytes(32)];
  const both = createSecretBox(current, [old]);
  const reencrypted = both.reencrypt(createSecretBox(old).encrypt("secret", "a"), "a");
  expect(createSecretBox(current).decrypt(reencrypted ?? new Uint8Array(), "a")).toBe("secret");
  expect(both.reencrypt(both.encrypt("secret", "a"), "a")).toBeNull();
  expect(() => both.reencrypt(both.encrypt("secret", "b"), "a")).toThrow("unable to authenticate data");
  expect([both.hasOldKeys, box.hasOldKeys]).toEqual([true, false]);
});
