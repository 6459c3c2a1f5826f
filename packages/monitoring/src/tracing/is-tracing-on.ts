/**
 * Checks whether the standard variables of OpenTelemetry switch traces on: an exporter or an endpoint is set, and the SDK is not disabled.
 * The SDK itself would export to localhost by default.
 */
export function isTracingOn(environment: NodeJS.ProcessEnv): boolean {
  const textOf = (name: string) => environment[name]?.trim() ?? "";
  if (textOf("OTEL_SDK_DISABLED").toLowerCase() === "true") return false;
  const exporter = textOf("OTEL_TRACES_EXPORTER");
  if (exporter !== "") return exporter !== "none";
  return textOf("OTEL_EXPORTER_OTLP_ENDPOINT") !== "" || textOf("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") !== "";
}
