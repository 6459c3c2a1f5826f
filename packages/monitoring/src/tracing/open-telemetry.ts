import { setTimeout as sleep } from "node:timers/promises";
import {
  type Context,
  context,
  DiagLogLevel,
  diag,
  type Span as OtelSpan,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { parseTraceParent } from "@opentelemetry/core";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { NodeSDK } from "@opentelemetry/sdk-node";
import {
  ATTR_ERROR_TYPE,
  ATTR_SERVICE_NAME,
  ATTR_SERVICE_VERSION,
} from "@opentelemetry/semantic-conventions";
import { productVersion } from "@parley/config";
import { pino } from "pino";
import { reportExportProblems } from "./export-problems.ts";
import type { Attributes, Parent, Span, SpanOptions, Tracing } from "./tracing.ts";

/** Less than the second that `stopOnSignal` adds to SHUTDOWN_TIMEOUT_MS. */
const longestFlushMs = 900;

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  internal: SpanKind.INTERNAL,
};

/** Starts the OpenTelemetry SDK, which reads its environment variables. */
export function startOpenTelemetry(options: { serviceName: string; logLevel: string }): Tracing {
  const log = pino({ level: options.logLevel, name: "tracing" });
  diag.setLogger(reportExportProblems(log), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const sdk = new NodeSDK({
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence.
    resource: resourceFromAttributes({
      [ATTR_SERVICE_NAME]: options.serviceName,
      [ATTR_SERVICE_VERSION]: productVersion,
    }),
    // Only traces: the SDK would also export metrics and logs.
    metricReaders: [],
    logRecordProcessors: [],
  });
  sdk.start();
  const tracer = trace.getTracer("parley", productVersion);
  return {
    start: (name, spanOptions) => startSpan(tracer, name, spanOptions),
    async stop() {
      const flushed = sdk.shutdown().catch((error: unknown) => diag.warn(String(error)));
      await Promise.race([flushed, sleep(longestFlushMs, undefined, { ref: false })]);
    },
  };
}

function startSpan(tracer: Tracer, name: string, { kind, parent, attributes }: SpanOptions): Span {
  const parentContext = parent ? contextOf(parent) : context.active();
  const span = tracer.startSpan(
    name,
    { kind: kinds[kind], ...(attributes && { attributes }) },
    parentContext,
  );
  return new OpenTelemetrySpan(span, trace.setSpan(parentContext, span));
}

function contextOf(parent: Parent): Context {
  if ("headers" in parent) return propagation.extract(ROOT_CONTEXT, parent.headers);
  const spanContext = parseTraceParent(parent.traceparent);
  return spanContext ? trace.setSpanContext(ROOT_CONTEXT, { ...spanContext, isRemote: true }) : ROOT_CONTEXT;
}

class OpenTelemetrySpan implements Span {
  readonly #span: OtelSpan;
  readonly #context: Context;

  constructor(span: OtelSpan, spanContext: Context) {
    this.#span = span;
    this.#context = spanContext;
  }

  get traceId(): string {
    return this.#span.spanContext().traceId;
  }

  get traceparent(): string | null {
    const { traceId, spanId, traceFlags } = this.#span.spanContext();
    const isSampled = (traceFlags & TraceFlags.SAMPLED) !== 0;
    return isSampled ? `00-${traceId}-${spanId}-01` : null;
  }

  set(attributes: Attributes): void {
    this.#span.setAttributes(attributes);
  }

  fail(type: string): void {
    this.#span.setAttribute(ATTR_ERROR_TYPE, type);
    this.#span.setStatus({ code: SpanStatusCode.ERROR });
  }

  run<Result>(work: () => Result): Result {
    return context.with(this.#context, work);
  }

  end(): void {
    this.#span.end();
  }
}
