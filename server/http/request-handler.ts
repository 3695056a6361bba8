import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../contract/basics/errors.ts';
import { errorsOf, type OperationSpec } from '../../contract/basics/operation.ts';
import type { Caller } from '../callers.ts';
import { requireDatabase } from '../db/public.ts';
import type { Context, Deps } from '../deps.ts';
import type { PaymentInRequest } from '../payments/types.ts';
import { pages } from '../kept.ts';
import type { ParsedInput, Route } from '../serve.ts';
import { type HttpAnswer, jsonHeaders } from './answers/responses.ts';
import { isDatabaseDown, unavailable } from './answers/errors.ts';
import { watchConnection } from './answers/watch-connection.ts';
import type { WithDeadline } from './answers/deadline.ts';
import type { Authenticate } from './auth/auth.ts';
import { requireRight } from './auth/rights.ts';
import { readIdempotentCall, replayHeaders, replayOrRun } from './idempotency.ts';
import { parseInput, type RequestParts, withFurtherFaults } from './parsing/input.ts';
import { receiveBody, type ReceivedBody } from './parsing/body.ts';
import {
  type CountedRequest,
  isFailedPayment,
  peekLimits,
  takeLimits,
  takeRegistration,
  noteFailedPayment,
} from './limits/limits-of-request.ts';
import { limitHeaders, type Limits, type LimitState } from './limits/limits.ts';
import { reportQuota } from './limits/daily-quota.ts';
import type { Shedder } from './limits/load.ts';
import type { Metrics } from './metrics/metrics.ts';
import { type Attributes, isTracing, traced, type TraceHeaders } from '../tracing.ts';
import { PaymentRefused } from '../x402/public.ts';
import { paymentRefusal, presentsPayment, readPresentedPayment, settlementHeaders } from './payment.ts';
import type { EventStreams } from './streams/event-streams.ts';
import { openEventStream, wantsStream } from './streams/open-event-stream.ts';
import { FinishedAnswer, json, type RenderDeps, renderFailure, renderSuccess } from './render.ts';

/** A request to an operation, as the router, the reader, or a tool of `mcp/` found it. */
export type ApiRequest = {
  incoming: IncomingMessage;
  headers: Pick<Headers, 'get'>;
  params: Record<string, string>;
  url: string;
  /** The body, if it is not that of `incoming`: one MCP request holds the bodies of its operations. */
  body?: ReceivedBody;
};

/** The parts that every request of one app shares. */
export type HandlerDeps = RenderDeps & {
  deps: Deps;
  limits: Limits;
  authenticate: Authenticate;
  shedder: Shedder;
  withDeadline: WithDeadline;
  readAddress: (peer: string, forwardedFor: string | undefined) => string;
  metrics: Metrics;
  streams: EventStreams;
};

/** The facts of a request in the log and in the trace, beside its operation. */
type Told = { states: LimitState[]; ids: Record<string, string> };

/** Answers one request and counts it. Never rejects: every failure becomes an answer. */
export async function handleRequest(handler: HandlerDeps, route: Route, request: ApiRequest): Promise<HttpAnswer> {
  const { deps, metrics } = handler;
  const { id: operation, method, path } = route.spec;
  const requestId = deps.newId();
  const startedAt = performance.now();
  const name = `${method.toUpperCase()} ${path}`;
  return await traced(
    name,
    { kind: 'server', begins: isTracing() ? traceOf(request) : {} },
    async ({ set, traceId }) => {
      const told: Told = { states: [], ids: idsOf(request.params) };
      const answer = await answerOf(handler, route, request, requestId, told);
      const { status } = answer;
      const ms = performance.now() - startedAt;
      metrics.request(operation, status, ms);
      const trace = traceId === null ? {} : { traceId };
      deps.log.info({ requestId, operation, status, ms: Math.round(ms), ...told.ids, ...trace }, 'request');
      if (traceId !== null) set(requestAttributes(route.spec, status, { requestId, ...told.ids }));
      return answer;
    },
  );
}

function traceOf({ headers }: ApiRequest): TraceHeaders {
  const [traceparent, tracestate] = [headers.get('traceparent'), headers.get('tracestate')];
  return { ...(traceparent ? { traceparent } : {}), ...(tracestate ? { tracestate } : {}) };
}

/** Returns the ids in a path, under the names that every log line uses: `project_id` becomes `projectId`. */
function idsOf(params: Record<string, string>): Record<string, string> {
  const found = Object.entries(params).filter(([name]) => name.endsWith('_id'));
  return Object.fromEntries(found.map(([name, id]) => [`${name.slice(0, -3)}Id`, id.slice(0, 36)]));
}

function requestAttributes({ id, method, path }: OperationSpec, status: number, ids: Told['ids']): Attributes {
  const named: Attributes = {};
  for (const [name, value] of Object.entries(ids)) named[`concours.${name}`] = value;
  return {
    ...named,
    'http.request.method': method.toUpperCase(),
    'http.route': path,
    'http.response.status_code': status,
    'concours.operation': id,
    'error.type': status >= 500 ? String(status) : null,
  };
}

async function answerOf(
  handler: HandlerDeps,
  route: Route,
  request: ApiRequest,
  requestId: string,
  told: Told,
): Promise<HttpAnswer> {
  const { deps } = handler;
  const { spec } = route;
  try {
    const work = perform(handler, route, request, requestId, told);
    return await handler.withDeadline(work, isLong(spec));
  } catch (error) {
    const refusal = error instanceof PaymentRefused ? await paymentRefusal(deps, error) : null;
    const answer = renderFailure(deps, requestId, told.states, error, refusal);
    if (isDatabaseDown(error)) {
      if (spec.databaseDown) answer.status = spec.databaseDown;
      if (!deps.breaker.isOpen()) void deps.breaker.probe();
    }
    reportUnlisted(deps, spec, error);
    return answer;
  }
}

/** Returns whether a request may take longer than others. */
function isLong({ paid, waits }: OperationSpec): boolean {
  return paid === true || waits === true;
}

/**
 * Checks and runs one request in the order that the decisions fix: credentials, load, limits, standing, input, verb. Adds
 * to `told` the limits that the answer reports, and who called, also when it throws.
 */
async function perform(
  handler: HandlerDeps,
  route: Route,
  request: ApiRequest,
  requestId: string,
  { states, ids }: Told,
): Promise<HttpAnswer> {
  const { deps, limits } = handler;
  const { spec } = route;
  requireDatabase(deps.breaker);
  const counted = await identify(handler, spec, request, states);
  const { caller } = counted;
  if (caller.kind === 'agent') ids['agentId'] = caller.agentId;
  if (caller.kind === 'poster') ids['posterId'] = caller.posterId;
  // After authentication, so that a shed request still reports the caller's limits.
  if (handler.shedder.sheds(spec)) {
    await peekLimits(limits, counted);
    throw unavailable('The service is overloaded. Try again shortly.');
  }
  const isPresented = spec.paid === true && presentsPayment(request.headers);
  const reservation = await takeLimits(limits, counted, isPresented);
  let failed = false;
  try {
    // After the limits, which also hold for a suspended agent.
    requireRight(caller, spec);
    if (wantsStream(route, request)) return await runStream(handler, route, request, { counted, requestId });
    const payment = isPresented ? readPresentedPayment(request.headers) : null;
    return await runVerb(handler, route, request, { counted, requestId, payment, ids });
  } catch (error) {
    failed = isFailedPayment(error);
    throw error;
  } finally {
    await reservation?.end(failed);
    if (failed) await noteFailedPayment(deps, limits, counted);
  }
}

async function identify(
  { deps, readAddress, authenticate }: HandlerDeps,
  spec: OperationSpec,
  { incoming, headers }: ApiRequest,
  states: LimitState[],
): Promise<CountedRequest> {
  const forwardedFor = headers.get('x-forwarded-for') ?? undefined;
  const remoteAddress = readAddress(incoming.socket.remoteAddress ?? '', forwardedFor);
  const caller = await authenticate(spec, headers, remoteAddress, states);
  return { spec, caller, remoteAddress, development: deps.config.development, states };
}

/** Answers with the stream of an operation instead of its verb. */
async function runStream(
  handler: HandlerDeps,
  route: Route,
  request: ApiRequest,
  { counted, requestId }: Omit<Call, 'payment' | 'ids'>,
): Promise<HttpAnswer> {
  const { deps, streams } = handler;
  const { caller, remoteAddress, states } = counted;
  const { headers, params, url } = request;
  const input = await parseRequest(deps, route, { headers, params, url, body: null });
  return await openEventStream(streams, {
    route,
    ctx: { ...deps, caller, requestId, remoteAddress },
    input,
    lastEventId: headers.get('last-event-id'),
    headers: { ...limitHeaders(states), 'X-Request-Id': requestId },
    identify: async () => (await identify(handler, route.spec, request, [])).caller,
  });
}

type Call = { counted: CountedRequest; requestId: string; payment: PaymentInRequest; ids: Told['ids'] };

async function runVerb(
  handler: HandlerDeps,
  route: Route,
  { incoming, headers, params, url, body: given }: ApiRequest,
  { counted, requestId, payment, ids }: Call,
): Promise<HttpAnswer> {
  const { deps, sessions } = handler;
  const { spec } = route;
  const { caller, remoteAddress, states } = counted;
  const body = spec.body ? (given ?? (await receiveBody(incoming))) : null;
  const connection = spec.waits ? watchConnection(incoming) : null;
  const run = async () => {
    const input = await parseRequest(deps, route, { headers, params, url, body });
    const idempotentCall = readIdempotentCall(deps, spec, { headers, caller, remoteAddress, input });
    const ctx: Context = {
      ...deps,
      ...(caller.kind === 'public' && spec.method === 'get' ? deps.anonymous : {}),
      caller,
      requestId,
      remoteAddress,
      countRegistration: () => takeRegistration(handler.limits, counted),
      ...(idempotentCall ? { idempotentCall } : {}),
      ...(connection ? { disconnected: connection.signal } : {}),
    };
    const runOnce = () => route.run(ctx, { ...input, payment });
    return { idempotentCall, ...(await (idempotentCall ? replayOrRun(deps, idempotentCall, runOnce) : runOnce())) };
  };
  const answer = () => (route.options.cached ? cachedAnswer(deps, route, { caller, url }, run) : run());
  const { data, receipt, idempotentCall } = await (
    spec.dailyQuota ? withQuota(deps, counted, answer) : answer()
  ).finally(() => connection?.end());
  if (receipt?.paymentId !== undefined) ids['paymentId'] = receipt.paymentId;
  return renderSuccess(handler, route, data, {
    ...jsonHeaders,
    ...limitHeaders(states),
    ...(spec.session === 'ends' ? { 'Set-Cookie': sessions.ended(spec) } : {}),
    ...replayHeaders(idempotentCall),
    'X-Request-Id': requestId,
    ...(receipt ? await settlementHeaders(deps, receipt) : {}),
  });
}

/** Returns the finished answer to a request whose route is cached. A target that was answered before is valid. */
async function cachedAnswer(
  { db, clock }: Deps,
  { spec, options }: Route,
  { caller, url }: { caller: Caller; url: string },
  run: () => Promise<{ data: unknown }>,
): Promise<{ data: FinishedAnswer; receipt: null; idempotentCall: undefined }> {
  const target = url.slice(url.indexOf('/', url.indexOf('//') + 2));
  const key = `${spec.id} ${options.cached?.({ caller })} ${target}`;
  const make = async () => Buffer.from(json(spec, (await run()).data));
  const data = new FinishedAnswer(await pages.get(db, { key, now: clock.now() }, make));
  return { data, receipt: null, idempotentCall: undefined };
}

async function parseRequest(deps: Deps, { spec, options }: Route, request: RequestParts): Promise<ParsedInput> {
  try {
    return parseInput(spec, request);
  } catch (error) {
    if (!options.furtherFaults) throw error;
    throw await withFurtherFaults(error, request.body, (body) => options.furtherFaults?.(deps, body));
  }
}

/** Reports the daily quota with the answer: as it is after an operation that uses it up, else read meanwhile. */
async function withQuota<T>(deps: Deps, counted: CountedRequest, answer: () => Promise<T>): Promise<T> {
  const shown = counted.spec.dailyQuota === 'shown' ? reportQuota(deps, counted) : null;
  try {
    return await answer();
  } finally {
    await (shown ?? reportQuota(deps, counted));
  }
}

/** The OpenAPI document promises the complete list of codes, so a code outside of the list is a bug. */
function reportUnlisted({ log }: Deps, spec: OperationSpec, error: unknown): void {
  if (!(error instanceof DomainError) || errorsOf(spec).includes(error.code)) return;
  log.error({ operation: spec.id, code: error.code }, 'error code not listed in the contract');
}
