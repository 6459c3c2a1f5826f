import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { z } from "zod";
import { configuredSecretBox, deliveryVariables, sourceVariables, webhookVariables } from "./config.ts";

const key = () => randomBytes(32).toString("base64");
const webhooks = z.object(webhookVariables);
const deliveries = z.object(deliveryVariables);

test("parses DELIVERY_BACKOFF as a list of integers", () => {
  const backoffs = (DELIVERY_BACKOFF: string) => deliveries.parse({ DELIVERY_BACKOFF }).DELIVERY_BACKOFF;
  expect(deliveries.parse({}).DELIVERY_BACKOFF).toEqual([5, 60, 600, 3_600]);
  expect(backoffs("0")).toEqual([0]);
  expect(backoffs("1,86400")).toEqual([1, 86_400]);
  for (const wrong of ["5,,60", "5,", ",", "-1", "1.5", "1e3", "0x10", "86401", "5;60", "5, 60", "five"]) {
    expect(() => backoffs(wrong)).toThrow("must be whole seconds from 0 to 86400, separated by commas");
  }
});

test("requires 32 bytes for old encryption keys", () => {
  const [current, old, older] = [key(), key(), key()];
  const parse = (PARLEY_ENCRYPTION_KEYS_OLD?: string) =>
    webhooks.parse({ PARLEY_ENCRYPTION_KEY: current, PARLEY_ENCRYPTION_KEYS_OLD });
  expect(parse().PARLEY_ENCRYPTION_KEYS_OLD).toEqual([]);
  const encrypted = configuredSecretBox(webhooks.parse({ PARLEY_ENCRYPTION_KEY: older })).encrypt(
    "secret",
    "a",
  );
  expect(configuredSecretBox(parse(`${old}, ${older}`)).decrypt(encrypted, "a")).toBe("secret");
  for (const wrong of ["short", `${old},`, `${old};${older}`])
    expect(() => parse(wrong)).toThrow("must be 32 bytes in base64");
});

test("parses WEBHOOK_SOURCE_ADDRESSES as address ranges in their usual notation", () => {
  const parse = (WEBHOOK_SOURCE_ADDRESSES?: string) =>
    z.object(sourceVariables).parse({ WEBHOOK_SOURCE_ADDRESSES }).WEBHOOK_SOURCE_ADDRESSES;
  expect(parse()).toEqual([]);
  expect(parse("203.0.113.16/28, 203.0.113.7,2001:DB8:0:0::/64,2001:db8::1")).toEqual([
    "203.0.113.16/28",
    "203.0.113.7/32",
    "2001:db8::/64",
    "2001:db8::1/128",
  ]);
  for (const wrong of [
    "203.0.113.17/28",
    "hooks.example.com",
    "203.0.113.7;",
    ",",
    "::1%eth0",
    "203.0.113.7/33",
  ])
    expect(() => parse(wrong)).toThrow("must be address ranges separated by commas");
});
