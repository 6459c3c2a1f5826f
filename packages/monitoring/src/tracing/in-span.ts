import type { Attributes, Tracing } from "./tracing.ts";

/** Runs a function in a span, which fails if the function rejects. Without tracing, only runs the function. */
export async function inSpan<Result>(
  tracing: Tracing | undefined,
  name: string,
  attributes: Attributes,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!tracing) return work();
  const span = tracing.start(name, { kind: "internal", attributes });
  try {
    return await span.run(work);
  } catch (error) {
    span.fail(error instanceof Error ? error.constructor.name : "unknown");
    throw error;
  } finally {
    span.end();
  }
}
