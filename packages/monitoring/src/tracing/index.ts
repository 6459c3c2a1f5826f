export { inSpan } from "./in-span.ts";
export { startTracing } from "./start-tracing.ts";
export type { Attributes, Parent, Span, SpanOptions, Tracing } from "./tracing.ts";
