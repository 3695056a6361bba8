import { setTimeout as sleep } from 'node:timers/promises';
import { hostname } from 'node:os';
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { World } from './deps.ts';
import type { PaidTransfer } from './chain/types.ts';
import type { Settlement } from './x402/types.ts';
import { type Attributes, setTracing, type SpanOptions, type TraceHeaders, traced, type Tracing } from './tracing.ts';
import { VERSION } from './version.ts';

// Loaded only if OTEL_EXPORTER_OTLP_ENDPOINT is set.

/** How long the last traces may take at the end. */
const MOST_FLUSH_MS = 3_000;
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

const propagator = new W3CTraceContextPropagator();
const getter = {
  keys: (carrier: TraceHeaders) => Object.keys(carrier),
  get: (carrier: TraceHeaders, key: string) => carrier[key as keyof TraceHeaders],
};
const setter = {
  set: (carrier: TraceHeaders, key: string, value: string) => void (carrier[key as keyof TraceHeaders] = value),
};

/** Sends the spans of this process to an OTLP receiver. Returns what ends that, after the last span was sent. */
export function startTelemetry(options: { endpoint: string; serviceName: string; role: string }): () => Promise<void> {
  const contexts = new AsyncLocalStorageContextManager().enable();
  const exporter = new OTLPTraceExporter({ url: `${options.endpoint}/v1/traces` });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': options.serviceName,
      'service.version': VERSION,
      'service.instance.id': `${hostname()}:${process.pid}`,
      'concours.role': options.role,
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer('concours', VERSION);

  function parentOf({ begins }: SpanOptions): Context | null {
    const active = contexts.active();
    // The work that an ended request left behind, such as a loop that it woke, belongs to no trace.
    if (trace.getSpan(active)?.isRecording()) return active;
    return begins === undefined ? null : propagator.extract(ROOT_CONTEXT, begins ?? {}, getter);
  }

  const tracing: Tracing = {
    span(name, spanOptions, work) {
      const parent = parentOf(spanOptions);
      if (parent === null) return work({ set() {}, traceId: null });
      const span = tracer.startSpan(name, { kind: KINDS[spanOptions.kind] }, parent);
      const set = (attributes: Attributes) => setAttributes(span, attributes);
      set(spanOptions.attributes ?? {});
      return contexts.with(trace.setSpan(parent, span), () =>
        work({ set, traceId: span.spanContext().traceId })
          .catch((error: unknown) => {
            // Never the message: libraries put statements, addresses, and keys into it.
            set({ 'error.type': errorType(error) });
            span.setStatus({ code: SpanStatusCode.ERROR });
            throw error;
          })
          .finally(() => span.end()),
      );
    },
    headers() {
      const carrier: TraceHeaders = {};
      propagator.inject(contexts.active(), carrier, setter);
      return carrier;
    },
  };
  setTracing(tracing);
  return async () => {
    setTracing(null);
    // A collector that is away would hold the end for 10 s.
    await Promise.race([provider.shutdown(), sleep(MOST_FLUSH_MS, undefined, { ref: false })]);
    contexts.disable();
  };
}

function setAttributes(span: Span, attributes: Attributes): void {
  for (const [key, value] of Object.entries(attributes))
    if (value !== null && value !== undefined) span.setAttribute(key, value);
}

function errorType(error: unknown): string {
  const { code, name } = error as { code?: string; name?: string };
  return [code, name].find((known) => typeof known === 'string') ?? typeof error;
}

type Outside = Pick<World, 'storage' | 'chain' | 'facilitator'>;

/** Wraps the parts outside of the process, so that each call of them is a span. */
export function tracedWorld<W extends Outside>(world: W): W {
  const { storage, chain, facilitator } = world;
  return {
    ...world,
    storage: tracedPart('storage', storage, ['presignUpload', 'head', 'read', 'readPart', 'write', 'remove']),
    chain: tracedPart('chain', chain, ['authorization', 'transaction', 'searchStart', 'verifyMessage']),
    facilitator: tracedPart('facilitator', facilitator, ['verify', 'settle']),
  };
}

type Calls<P> = { [K in keyof P]: P[K] extends (...args: never[]) => Promise<unknown> ? K : never }[keyof P];

function tracedPart<P extends object>(name: string, part: P, calls: Calls<P>[]): P {
  const wrapped = calls.map((call) => {
    const run = part[call] as (...args: unknown[]) => Promise<unknown>;
    const traceCall = (...args: unknown[]) =>
      traced(`${name} ${String(call)}`, { kind: 'client' }, async (span) => {
        const result = await run(...args);
        span.set(placeOf(result));
        return result;
      });
    return [call, traceCall];
  });
  return { ...part, ...(Object.fromEntries(wrapped) as Partial<P>) };
}

/** Returns where the chain has a payment, from the answer of the chain or of the facilitator. */
function placeOf(result: unknown): Attributes {
  if (typeof result !== 'object' || result === null) return {};
  const { txHash, transaction, proof, blockNumber } = result as Partial<PaidTransfer & Settlement>;
  return {
    'concours.transaction': txHash ?? (transaction || null),
    'concours.block': blockNumber ?? proof?.blockNumber,
  };
}
