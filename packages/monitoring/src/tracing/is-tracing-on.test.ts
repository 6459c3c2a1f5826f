import { expect, test } from "vitest";
import { isTracingOn } from "./is-tracing-on.ts";

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };

test.each([
  { ...endpoint },
  { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://127.0.0.1:4318/v1/traces" },
  { OTEL_TRACES_EXPORTER: "otlp" },
  { OTEL_TRACES_EXPORTER: "console", OTEL_SDK_DISABLED: "false" },
])("%o switches traces on", (environment) => {
  expect(isTracingOn(environment)).toBe(true);
});

test.each([
  {},
  { OTEL_SERVICE_NAME: "parley" },
  { OTEL_TRACES_EXPORTER: "" },
  { ...endpoint, OTEL_TRACES_EXPORTER: "none" },
  { ...endpoint, OTEL_SDK_DISABLED: "true" },
  { OTEL_TRACES_EXPORTER: "otlp", OTEL_SDK_DISABLED: "TRUE" },
])("%o leaves traces off", (environment) => {
  expect(isTracingOn(environment)).toBe(false);
});
