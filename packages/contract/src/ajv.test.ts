import { expect, test } from "vitest";
import { createAjv } from "./ajv.ts";
import { description } from "./description.ts";

const ajv = createAjv();

test.each([
  ["01928c5e-7a10-7c44-8d21-0b6de2f0a001", true],
  ["01928C5E-7A10-7C44-8D21-0B6DE2F0A001", true],
  ["urn:uuid:01928c5e-7a10-7c44-8d21-0b6de2f0a001", false],
  ["{01928c5e-7a10-7c44-8d21-0b6de2f0a001}", false],
  ["01928c5e7a107c448d210b6de2f0a001", false],
  ["01928c5e-7a10-7c44-8d21-0b6de2f0a001\n", false],
])("accepts only a UUID in the standard form: %j, %s", (text, valid) => {
  expect(ajv.validate({ format: "uuid" }, text)).toBe(valid);
});

test.each([
  ["2026-03-01T09:00:00.123456789+14:00", true],
  ["2026-03-01T09:00:00.1234567891+14:00", false],
  ["9999-12-31T23:59:59.999999999Z", true],
  ["9999-12-31T23:59:59Z", true],
  ["9999-12-31T23:59:59-00:01", false],
  ["0001-01-01T00:00:00Z", true],
  ["0001-01-01T00:00:00+00:01", false],
  ["2016-12-31T23:59:60Z", false],
  ["2026-03-01T24:00:00Z", false],
])("accepts only a time that the database can store: %s, %s", (text, valid) => {
  expect(ajv.validate(description.components.schemas.RedeliverRequest.properties.since, text)).toBe(valid);
});
