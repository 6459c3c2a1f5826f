/** Values that a span shows. They contain no bodies, query values, tokens or email addresses. */
export type Attributes = Record<string, string | number | boolean>;

/** Parent of a span: headers of an incoming request, or a stored `traceparent`. */
export type Parent = { headers: Record<string, unknown> } | { traceparent: string };

export interface SpanOptions {
  kind: "server" | "client" | "producer" | "internal";
  /** Default: the current span. */
  parent?: Parent;
  attributes?: Attributes;
}

/** Operation of a trace. */
export interface Span {
  readonly traceId: string;
  /** Trace context for `traceparent` (W3C Trace Context, section 3.2); null if the trace is not sampled. */
  readonly traceparent: string | null;
  set(attributes: Attributes): void;
  /** Marks the operation as failed. @param type one of a limited number of values */
  fail(type: string): void;
  /** Runs a function. Spans that it starts are children of this span. */
  run<Result>(work: () => Result): Result;
  end(): void;
}

/** Traces of a process. Parts of the process receive `undefined` if tracing is off. */
export interface Tracing {
  start(name: string, options: SpanOptions): Span;
  /** Exports the remaining spans, for at most a second. */
  stop(): Promise<void>;
}
