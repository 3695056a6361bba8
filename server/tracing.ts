// What the parts of the service call to show their work in a trace. Without OTEL_EXPORTER_OTLP_ENDPOINT nothing records, and
// nothing of the SDK is loaded: `telemetry.ts` is the one file that knows it.

export type Attributes = Record<string, string | number | boolean | null | undefined>;

/** A span that is open. An attribute without a value is left out. */
export type Span = {
  set(attributes: Attributes): void;
  /** Null while nothing records. */
  traceId: string | null;
};

export type SpanOptions = {
  kind: 'server' | 'client' | 'internal';
  attributes?: Attributes;
  /**
   * Begins a trace, or goes on with that of the headers `traceparent` and `tracestate`. Other spans exist only inside of a
   * trace: a job that looks every second would fill the store with traces of nothing.
   */
  begins?: TraceHeaders | null;
};

/** The headers of W3C Trace Context. */
export type TraceHeaders = { traceparent?: string; tracestate?: string };

export type Tracing = {
  span<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>;
  headers(): TraceHeaders;
};

export const NO_SPAN: Span = { set() {}, traceId: null };
let tracing: Tracing | null = null;

/** Lets all parts of this process record; null ends that. */
export function setTracing(next: Tracing | null): void {
  tracing = next;
}

export const isTracing = (): boolean => tracing !== null;

/** Runs work as one span of the current trace. */
export function traced<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  return tracing === null ? work(NO_SPAN) : tracing.span(name, options, work);
}

/** Returns the headers that carry the current trace to another service, or to a later part of the work. */
export function traceHeaders(): TraceHeaders {
  return tracing === null ? {} : tracing.headers();
}
