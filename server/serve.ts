import type { Input, OperationSpec, Output } from '../contract/operation.ts';
import type { Context } from './deps.ts';
import type { AgentCaller, OperatorCaller, PosterCaller, PublicCaller } from './ports/callers.ts';
import type { SettlementReceipt, PaymentInRequest } from './ports/payments.ts';

type CallerOf<O extends OperationSpec> = {
  agent: AgentCaller;
  poster: PosterCaller;
  operator: OperatorCaller;
  public: PublicCaller;
}[O['auth']];

/**
 * An operation's `data` as JSON text, word for word what its output schema would have made of it: for the one answer whose
 * shaping costs more than finding it. The schema does not see it, so a test has to.
 */
export class JsonText {
  readonly text: string;
  #body: Buffer<ArrayBuffer> | null = null;

  constructor(text: string) {
    this.text = text;
  }

  /** The body of the answer, made once: the same bytes for everyone who is handed this object. */
  within(before: string, after: string): Buffer<ArrayBuffer> {
    this.#body ??= Buffer.from(before + this.text + after);
    return this.#body;
  }
}

/** A verb's `data` under the operation's `otherStatus` instead of its `status`. */
export class OtherStatus<Data> {
  readonly data: Data;

  constructor(data: Data) {
    this.data = data;
  }
}

/** A verb's `data` with the session that it began: how the browser is handed the token is HTTP's to know. */
export class SessionStarted<Data> {
  readonly data: Data;
  readonly session: { token: string; maxAgeSeconds: number };

  constructor(data: Data, session: { token: string; maxAgeSeconds: number }) {
    this.data = data;
    this.session = session;
  }
}

type Answered<O extends OperationSpec> =
  | Output<O>
  | JsonText
  | (O extends { otherStatus: number } ? OtherStatus<Output<O>> : never)
  | (O extends { session: 'starts' } ? SessionStarted<Output<O>> : never);

type PlainVerb<O extends OperationSpec> = (ctx: Context<CallerOf<O>>, input: Input<O>) => Promise<Answered<O>>;

/** A verb that charges: it gets what the client presented, and hands the receipt back beside its data. */
type PaidVerb<O extends OperationSpec> = (
  ctx: Context<CallerOf<O>>,
  input: Input<O> & { payment: PaymentInRequest },
) => Promise<{ data: Output<O>; receipt: SettlementReceipt | null }>;

type Verb<O extends OperationSpec> = O extends { paid: true } ? PaidVerb<O> : PlainVerb<O>;

export type RouteOptions = {
  /** The verb returns the same object to many requests, for long: its JSON is then made once. */
  sharedResults?: true;
};

/** A request's parts after the operation's schemas; `readBody` instead of `body` for a paid operation. */
export type ParsedInput = {
  params?: unknown;
  query?: unknown;
  headers?: unknown;
  body?: unknown;
  readBody?: () => unknown;
};

/** One operation with the verb that answers it. */
export type Route = {
  spec: OperationSpec;
  options: RouteOptions;
  run(
    ctx: Context,
    input: ParsedInput & { payment: PaymentInRequest },
  ): Promise<{ data: unknown; receipt: SettlementReceipt | null }>;
};

/** Pairs an operation with its verb; compiles only while the verb takes and returns what the contract says. */
export function serve<O extends OperationSpec>(spec: O, verb: Verb<O>, options: RouteOptions = {}): Route {
  // `app` hands in only what `parseInput` made from this very spec, and a caller of its kind.
  const call = verb as (ctx: Context, input: unknown) => Promise<unknown>;
  return {
    spec,
    options,
    async run(ctx, input) {
      const result = await call(ctx, input);
      if (spec.paid) return result as { data: unknown; receipt: SettlementReceipt | null };
      return { data: result, receipt: null };
    },
  };
}
