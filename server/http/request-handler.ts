import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../contract/basics/errors.ts';
import { errorsOf, type OperationSpec } from '../../contract/basics/operation.ts';
import { isDiskFull, requireDatabase } from '../db/public.ts';
import type { Context, Deps } from '../deps.ts';
import type { PaymentInRequest } from '../payments/types.ts';
import { keptPage } from '../kept.ts';
import type { ParsedInput, Route } from '../serve.ts';
import { endOfTurn, type HttpAnswer, jsonHeaders } from './answers/responses.ts';
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
import { type Attributes, isTracing, NO_SPAN, type Span, traced, type TraceHeaders } from '../tracing.ts';
import { PaymentRefused } from '../x402/public.ts';
import { paymentRefusal, presentsPayment, readPresentedPayment, settlementHeaders } from './payment.ts';
import type { EventStreams } from './streams/event-streams.ts';
import { openEventStream, wantsStream } from './streams/open-event-stream.ts';
import { json, type RenderDeps, renderFailure, renderSuccess } from './render.ts';

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
export function handleRequest(handler: HandlerDeps, route: Route, request: ApiRequest): Promise<HttpAnswer> {
  const { id: operation, method, path } = route.spec;
  const requestId = handler.deps.newId();
  const startedAt = performance.now();
  const answerIn = async ({ set, traceId }: Span) => {
    const { deps, metrics } = handler;
    const told: Told = { states: [], ids: idsOf(request.params) };
    let answer: HttpAnswer;
    const work = perform(handler, route, request, requestId, told);
    try {
      answer = await handler.withDeadline(work, isLong(route.spec));
    } catch (error) {
      // A stream that opens after the deadline has nobody to send to.
      work.then(({ cancel }) => cancel?.()).catch(() => {});
      answer = await answerTo(error, deps, route.spec, { requestId, states: told.states });
    }
    await endOfTurn();
    const { status } = answer;
    const ms = performance.now() - startedAt;
    metrics.request(operation, status, ms);
    const trace = traceId === null ? {} : { traceId };
    deps.log.info({ requestId, operation, status, ms: Math.round(ms), ...told.ids, ...trace }, 'request');
    if (traceId !== null) set(requestAttributes(route.spec, status, { requestId, ...told.ids }));
    return answer;
  };
  if (!isTracing()) return answerIn(NO_SPAN);
  return traced(`${method.toUpperCase()} ${path}`, { kind: 'server', begins: traceOf(request) }, answerIn);
}

function traceOf({ headers }: ApiRequest): TraceHeaders {
  const [traceparent, tracestate] = [headers.get('traceparent'), headers.get('tracestate')];
  return { ...(traceparent ? { traceparent } : {}), ...(tracestate ? { tracestate } : {}) };
}

/** Returns the ids in a path, under the names that every log line uses: `project_id` becomes `projectId`. */
function idsOf(params: Record<string, string>): Record<string, string> {
  const ids: Record<string, string> = {};
  for (const [name, id] of Object.entries(params))
    if (name.endsWith('_id')) ids[`${name.slice(0, -3)}Id`] = id.slice(0, 36);
  return ids;
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

async function answerTo(
  error: unknown,
  deps: Deps,
  spec: OperationSpec,
  { requestId, states }: { requestId: string; states: LimitState[] },
): Promise<HttpAnswer> {
  const refusal = error instanceof PaymentRefused ? await paymentRefusal(deps, error) : null;
  const answer = renderFailure(deps, requestId, states, error, refusal);
  const isDown = isDatabaseDown(error);
  if (spec.databaseDown && (isDown || isDiskFull(error))) answer.status = spec.databaseDown;
  if (isDown && !deps.breaker.isOpen()) void deps.breaker.probe();
  reportUnlisted(deps, spec, error);
  return answer;
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
  const remoteAddress = addressOf(handler, request);
  const caller = await handler.authenticate(spec, request.headers, remoteAddress, states);
  const counted = { spec, caller, remoteAddress, development: deps.config.development, states };
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
    const answer = route.options.cached ? answerFromPages : answerByVerb;
    return await answer(handler, route, request, { counted, requestId, payment, ids });
  } catch (error) {
    failed = isFailedPayment(error);
    throw error;
  } finally {
    await reservation?.end(failed);
    if (failed) await noteFailedPayment(deps, limits, counted);
  }
}

function addressOf({ readAddress }: HandlerDeps, { incoming, headers }: ApiRequest): string {
  return readAddress(incoming.socket.remoteAddress ?? '', headers.get('x-forwarded-for') ?? undefined);
}

/** Answers with the stream of an operation instead of its verb. */
async function runStream(
  handler: HandlerDeps,
  route: Route,
  request: ApiRequest,
  { counted, requestId }: Omit<Call, 'payment' | 'ids'>,
): Promise<HttpAnswer> {
  const { deps, streams, authenticate } = handler;
  const { caller, remoteAddress, states } = counted;
  const { headers, params, url } = request;
  const input = await parseRequest(deps, route, { headers, params, url, body: null });
  return await openEventStream(streams, {
    route,
    ctx: { ...deps, caller, requestId, remoteAddress },
    input,
    lastEventId: headers.get('last-event-id'),
    headers: { ...limitHeaders(states), 'X-Request-Id': requestId },
    identify: () => authenticate(route.spec, headers, remoteAddress, []),
  });
}

type Call = { counted: CountedRequest; requestId: string; payment: PaymentInRequest; ids: Told['ids'] };

async function answerByVerb(handler: HandlerDeps, route: Route, request: ApiRequest, call: Call): Promise<HttpAnswer> {
  const { deps, sessions } = handler;
  const { spec } = route;
  const run = () => runVerb(handler, route, request, call);
  const { data, receipt, idempotentCall } = await (spec.dailyQuota ? withQuota(deps, call.counted, run) : run());
  if (receipt?.paymentId !== undefined) call.ids['paymentId'] = receipt.paymentId;
  return renderSuccess(handler, route, data, {
    ...headersOf(call),
    ...(spec.session === 'ends' ? { 'Set-Cookie': sessions.ended(spec) } : {}),
    ...replayHeaders(idempotentCall),
    ...(receipt ? await settlementHeaders(deps, receipt) : {}),
  });
}

/** Answers with the page that was finished within the last second, or finishes it. A target that was answered is valid. */
async function answerFromPages(
  handler: HandlerDeps,
  route: Route,
  request: ApiRequest,
  call: Call,
): Promise<HttpAnswer> {
  const { spec, options } = route;
  const { db, clock } = handler.deps;
  const key = `${spec.id} ${options.cached?.(call.counted)} ${queryOf(request)}`;
  const finish = async () => Buffer.from(json(spec, (await runVerb(handler, route, request, call)).data));
  const body = await keptPage(db, { key, now: clock.now() }, finish);
  return { status: spec.status ?? 200, headers: headersOf(call), body };
}

function queryOf({ url }: ApiRequest): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start);
}

function headersOf({ counted, requestId }: Call): Record<string, string> {
  return { ...jsonHeaders, ...limitHeaders(counted.states), 'X-Request-Id': requestId };
}

async function runVerb(
  { deps, limits }: HandlerDeps,
  route: Route,
  { incoming, headers, params, url, body: given }: ApiRequest,
  { counted, requestId, payment }: Call,
) {
  const { spec } = route;
  const { caller, remoteAddress } = counted;
  const body = spec.body ? (given ?? (await receiveBody(incoming))) : null;
  const connection = spec.waits ? watchConnection(incoming) : null;
  try {
    const input = await parseRequest(deps, route, { headers, params, url, body });
    const idempotentCall = readIdempotentCall(deps, spec, { headers, caller, remoteAddress, input });
    const ctx: Context = {
      ...deps,
      ...(caller.kind === 'public' && spec.method === 'get' ? deps.anonymous : {}),
      caller,
      requestId,
      remoteAddress,
      countRegistration: () => takeRegistration(limits, counted),
      ...(idempotentCall ? { idempotentCall } : {}),
      ...(connection ? { disconnected: connection.signal } : {}),
    };
    const run = () => route.run(ctx, { ...input, payment });
    return { idempotentCall, ...(await (idempotentCall ? replayOrRun(deps, idempotentCall, run) : run())) };
  } finally {
    connection?.end();
  }
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
