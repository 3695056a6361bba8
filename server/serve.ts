import type { Input, OperationSpec, Output } from '../contract/basics/operation.ts';
import type { ErrorDetail } from '../contract/basics/errors.ts';
import type { Context, Deps } from './deps.ts';
import type { AgentCaller, OperatorCaller, PosterCaller, PublicCaller } from './callers.ts';
import type { SettlementReceipt, PaymentInRequest } from './payments/types.ts';
import { traced } from './tracing.ts';

type CallerOf<O extends OperationSpec> = {
  agent: AgentCaller;
  poster: PosterCaller;
  operator: OperatorCaller;
  public: PublicCaller;
}[O['auth']];

/** The `data` of a replayed answer as it was sent: finished JSON text. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A verb's `data`, sent with the operation's `otherStatus` instead of its `status`. */
export class OtherStatus<Data> {
  readonly data: Data;

  constructor(data: Data) {
    this.data = data;
  }
}

/** Browser sessions of posters, of the owners of agents, and of operators. Each kind has a cookie of its own. */
export type SessionKind = 'poster' | 'agent' | 'operator';

/** Over TLS the prefix `__Host-` keeps sibling subdomains from setting the cookie. */
export function sessionCookieName(publicUrl: string, kind: SessionKind): string {
  return `${publicUrl.startsWith('https:') ? '__Host-' : ''}${kind}_session`;
}

export type StartedSession = { kind: SessionKind; token: string; maxAgeSeconds: number };

/** A verb's `data` with the session that the verb started. `http/` puts the token into a cookie. */
export class SessionStarted<Data> {
  readonly data: Data;
  readonly session: StartedSession;

  constructor(data: Data, session: StartedSession) {
    this.data = data;
    this.session = session;
  }
}

/** The result of an operation's verb. */
type Result<O extends OperationSpec> =
  | Output<O>
  | (O extends { otherStatus: number } ? OtherStatus<Output<O>> : never)
  | (O extends { session: 'starts' } ? SessionStarted<Output<O>> : never);

type PlainVerb<O extends OperationSpec> = (ctx: Context<CallerOf<O>>, input: Input<O>) => Promise<Result<O>>;

/** The verb of a paid operation: it receives the client's payment and returns the receipt with its data. */
type PaidVerb<O extends OperationSpec> = (
  ctx: Context<CallerOf<O>>,
  input: Input<O> & { payment: PaymentInRequest },
) => Promise<{ data: Output<O>; receipt: SettlementReceipt | null }>;

type StreamVerb<O extends OperationSpec> = (ctx: Context<CallerOf<O>>, input: Input<O>) => Promise<EventSource>;

type Verb<O extends OperationSpec> = O extends { paid: true } ? PaidVerb<O> : PlainVerb<O>;

/** The receiver of a stream's events. */
export type StreamSink = {
  /** Sends an event of the past. Await `drained` before the next page. */
  write(frame: string | Buffer): void;
  /** Sends a new event. A reader that is too slow is disconnected. */
  push(frame: Buffer): void;
  /** Resolves when the reader has taken enough; with false when the stream has ended. */
  drained(): Promise<boolean>;
  close(): void;
};

/** A stream that was opened: either `start` or `cancel` is called, once. */
export type EventSource = {
  /** Events after the position may have been removed because of their age. */
  truncated: boolean;
  /** Returns a function that ends the stream. */
  start(sink: StreamSink): () => void;
  cancel(): void;
};

export type RouteOptions = {
  /** Opens the stream for a request that accepts `text/event-stream`. */
  stream?: (ctx: Context, input: ParsedInput) => Promise<EventSource>;
  /**
   * Identical requests of one second get the same page, which may then be a second old. The text tells apart the callers that
   * see different pages.
   */
  cached?: (ctx: Pick<Context, 'caller'>) => string;
  /**
   * Returns what is wrong in a body that the schema has already refused, and that only the server knows. So the answer
   * names every failing field. The verb makes the same checks on a body that the schema accepts.
   */
  furtherFaults?: (deps: Deps, body: unknown) => Promise<ErrorDetail[]>;
};

/** The parts of a request, parsed by the operation's schemas. A paid operation reads headers and body itself. */
export type ParsedInput = {
  params?: unknown;
  query?: unknown;
  headers?: unknown;
  body?: unknown;
  readHeaders?: () => unknown;
  readBody?: () => unknown;
};

/** An operation with the verb that answers it. */
export type Route = {
  spec: OperationSpec;
  options: RouteOptions;
  run(
    ctx: Context,
    input: ParsedInput & { payment: PaymentInRequest },
  ): Promise<{ data: unknown; receipt: SettlementReceipt | null }>;
};

/**
 * Pairs an operation with its verb. Compiles only if the verb takes the operation's input and caller, and returns its
 * output.
 */
export function serve<O extends OperationSpec>(
  spec: O,
  verb: Verb<NoInfer<O>>,
  { stream, ...others }: Omit<RouteOptions, 'stream'> & { stream?: StreamVerb<O> } = {},
): Route {
  // Sound, because the app passes only what `parseInput` made from this spec, and a caller of the spec's kind.
  const call = verb as (ctx: Context, input: unknown) => Promise<unknown>;
  const options: RouteOptions = stream ? { ...others, stream: stream as NonNullable<RouteOptions['stream']> } : others;
  return {
    spec,
    options,
    async run(ctx, input) {
      const result = await traced(`verb ${verb.name || spec.id}`, { kind: 'internal' }, () => call(ctx, input));
      if (spec.paid) return result as { data: unknown; receipt: SettlementReceipt | null };
      return { data: result, receipt: null };
    },
  };
}
