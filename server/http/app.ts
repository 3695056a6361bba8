import type { IncomingMessage, ServerResponse } from 'node:http';
import { type HttpBindings, RequestError } from '@hono/node-server';
import { type Context as HonoContext, Hono } from 'hono';
import { DomainError, validationError } from '../../contract/errors.ts';
import { errorsOf, type OperationSpec } from '../../contract/operation.ts';
import { operatorOperations } from '../../contract/operator.ts';
import { createAddressReader } from '../addresses.ts';
import { requireStanding } from '../agents/accounts/public.ts';
import type { Context, Deps } from '../deps.ts';
import { PaymentRefused } from '../x402/public.ts';
import { JsonText, OtherStatus, type Route, SessionStarted } from '../serve.ts';
import {
  type Authenticate,
  type Authenticators,
  createAuthenticate,
  createSessions,
  type Sessions,
} from './auth/public.ts';
import { receiveBody } from './body.ts';
import { type ConsoleBuild, mountConsole, mountMedia } from './pages/public.ts';
import {
  createDeadlines,
  type Deadlines,
  asDomainError,
  checkRendered,
  failureBody,
  failureHeaders,
  unavailable,
  type Answer,
  jsonHeaders,
  plainHeaders,
} from './answers/public.ts';
import {
  noteFailedPayment,
  LimitExceeded,
  limitHeaders,
  type Limits,
  type LimitState,
  limitTable,
  createMemoryLimits,
  isFailedPayment,
  lookAtLimits,
  takeLimits,
  takePaidLimits,
  createShedder,
  type Shedder,
} from './limits/public.ts';
import { createReadiness } from './health.ts';
import { onceOf, replayHeaders, runOnce } from './idempotency.ts';
import { parseInput } from './input.ts';
import { createMetrics, type Metrics, METRICS_TYPE, type RequestCounts, type SenderFigures } from './metrics/public.ts';
import { paymentRefusal, readPresentedPayment, settlementHeaders } from './payment.ts';
import { type Asked, createReader } from './reader.ts';
import { mountReference } from './openapi/public.ts';
const API_PREFIX = '/api/v1';

export type AppOptions = {
  deps: Deps;
  routes: Route[];
  authenticators: Authenticators;
  /** Serves presigned PUTs of the disk store; absent with S3. */
  handleUpload?: (request: Request) => Promise<Response>;
  /** Where answered requests are counted. */
  requests: RequestCounts;
  /** What the sender of this process is doing; absent where there is none. */
  webhooks?: SenderFigures;
  /** The web console as it was built, null where it was not; absent where none is served. */
  console?: ConsoleBuild | null;
  /** Only whether it lives and its figures: a process that serves no clients. */
  probesOnly?: boolean;
  /** True while an orderly shutdown waits for its last requests: /readyz answers 503. */
  isDraining?: () => boolean;
  /** Shared with other processes; else this one counts for itself. */
  limits?: Limits;
};

export type App = {
  fetch: Hono<Env>['fetch'];
  /** Answers a plain read without `fetch`, and says whether it does. */
  answerRead(incoming: IncomingMessage, outgoing: ServerResponse): boolean;
  /** The answer to what never became a request of a route, or failed outside of one. */
  fail(error: unknown): Failure;
  /** What the router answers, for who compares it with the document. */
  routes: { method: string; path: string }[];
  stop(): void;
};

/** One that reports a failure. */
export type Failure = Answer & { body: string };

type Env = { Bindings: HttpBindings };
type HttpContext = HonoContext<Env>;

/** What every handler of one app shares. */
type House = {
  deps: Deps;
  limits: Limits;
  sessions: Sessions;
  authenticate: Authenticate;
  shedder: Shedder;
  deadlines: Deadlines;
  readAddress: (peer: string, forwardedFor: string | undefined) => string;
  sharedJson: WeakMap<object, Buffer<ArrayBuffer>>;
  metrics: Metrics;
};

export function createApp(given: AppOptions): App {
  const { deps, authenticators, handleUpload, isDraining, webhooks, requests, ...options } = given;
  const routes = options.probesOnly ? [] : options.routes;
  const limits: Limits = options.limits ?? createMemoryLimits(limitTable(deps.config.limits), deps.clock);
  const sessions = createSessions(deps);
  const house: House = {
    deps,
    limits,
    sessions,
    authenticate: createAuthenticate(authenticators, { limits, sessions, development: deps.config.development }),
    shedder: createShedder(),
    deadlines: createDeadlines(deps.db),
    readAddress: createAddressReader(deps.config.trustedProxies),
    sharedJson: new WeakMap(),
    metrics: createMetrics(deps, requests, webhooks, limits.figures),
  };
  const fail = (error: unknown) => failure(house, deps.newId(), [], error);
  const app = new Hono<Env>({ strict: true });
  for (const route of routes) {
    if (route.spec.developmentOnly && !deps.config.development) continue;
    const handler = async (c: HttpContext) => response(await answer(house, route, askedOf(route, c)));
    app.on(route.spec.method, API_PREFIX + honoPath(route.spec.path), handler);
    // The decisions name these two beside the API prefix, so they answer there too.
    if (route.spec.tag === 'Network') app.on(route.spec.method, honoPath(route.spec.path), handler);
  }
  app.get('/healthz', (c) => c.json({ status: 'ok' }, 200, plainHeaders));
  const readiness = createReadiness(deps);
  app.get('/readyz', async (c) => {
    const state = await readiness();
    return c.json(state, state.ready && !isDraining?.() ? 200 : 503, plainHeaders);
  });
  app.get('/metrics', async (c) => await answerMetrics(house, c));
  if (!options.probesOnly) {
    if (handleUpload) app.put('/storage/*', async (c) => await handleUpload(c.req.raw));
    mountMedia(app, deps, house.deadlines);
    mountReference(app, deps, routes);
    if (options.console !== undefined) mountConsole(app, deps, options.console);
  }
  const outside = (error: unknown) => {
    const failed = fail(error);
    const { status, headers } = failed;
    deps.log.info({ requestId: headers['X-Request-Id'], operation: null, status }, 'request');
    return response(failed);
  };
  app.notFound(() => outside(new DomainError('NOT_FOUND', 'No such route.')));
  app.onError(outside);
  const answerRead = createReader(routes, API_PREFIX, (route, asked) => answer(house, route, asked), fail);
  const stop = () => {
    house.shedder.stop();
    house.deadlines.stop();
    limits.close();
  };
  return { fetch: app.fetch, answerRead, fail, routes: app.routes, stop };
}

/** `/agents/{agent_id}` is `/agents/:agent_id` to the router. */
function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function askedOf({ spec }: Route, c: HttpContext): Asked {
  const { headers, url } = c.req.raw;
  return { incoming: c.env.incoming, headers, params: spec.params ? c.req.param() : {}, url };
}

async function answer(house: House, route: Route, asked: Asked): Promise<Answer> {
  const { deps } = house;
  const { spec } = route;
  const requestId = deps.newId();
  const startedAt = performance.now();
  const limitStates: LimitState[] = [];
  let answered: Answer;
  try {
    answered = await house.deadlines.keep(perform(house, route, asked, requestId, limitStates), spec.paid === true);
  } catch (error) {
    answered = failure(house, requestId, limitStates, error);
    reportUnlisted(house, spec, error);
  }
  const ms = performance.now() - startedAt;
  const { status } = answered;
  house.metrics.request(spec.id, status, ms);
  if (deps.log.isLevelEnabled('info')) {
    deps.log.info({ requestId, operation: spec.id, status, ms: Math.round(ms) }, 'request');
  }
  return answered;
}

/** For the operator's eyes, like the ledger; for anybody in a development start, which listens to this machine alone. */
async function answerMetrics({ deps, authenticate, readAddress, metrics }: House, c: HttpContext): Promise<Response> {
  const address = readAddress(c.env.incoming.socket.remoteAddress ?? '', c.req.header('x-forwarded-for'));
  if (!deps.config.development) await authenticate(operatorOperations.getLedger, c.req.raw.headers, address, []);
  return new Response(await metrics.text(), { headers: { ...plainHeaders, 'Content-Type': METRICS_TYPE } });
}

async function perform(
  house: House,
  route: Route,
  { incoming, headers, params, url }: Asked,
  requestId: string,
  limitStates: LimitState[],
): Promise<Answer> {
  const { deps, limits } = house;
  const { spec } = route;
  const forwardedFor = headers.get('x-forwarded-for') ?? undefined;
  const remoteAddress = house.readAddress(incoming.socket.remoteAddress ?? '', forwardedFor);
  const known = house.authenticate(spec, headers, remoteAddress, limitStates);
  const caller = known instanceof Promise ? await known : known;
  const counted = { spec, caller, remoteAddress, development: deps.config.development, states: limitStates };
  // Only now: whoever is turned away is told of limits that this did not use up.
  if (house.shedder.sheds(spec)) {
    await lookAtLimits(limits, counted);
    throw unavailable('The service is overloaded. Try again shortly.');
  }
  const payment = spec.paid ? readPresentedPayment(headers) : null;
  const taken = spec.paid ? takePaidLimits(limits, counted, payment !== null) : takeLimits(limits, counted);
  const place = taken instanceof Promise ? await taken : null;
  let failed = false;
  try {
    // After the limits: a suspended agent is held to them too.
    if (caller.kind === 'agent') requireStanding(caller, spec.standing ?? 'notSuspended');
    const body = spec.body ? await receiveBody(incoming) : null;
    const input = parseInput(spec, { headers, params, url, body });
    const once = onceOf(deps, spec, { headers, caller, remoteAddress, input });
    const ctx: Context = { ...deps, caller, requestId, remoteAddress, ...(once ? { once } : {}) };
    const run = () => route.run(ctx, { ...input, payment });
    const { data, receipt } = await (once ? runOnce(deps, once, run) : run());
    const cookie = spec.session === 'ends' ? { 'Set-Cookie': house.sessions.ended } : {};
    const told = {
      ...jsonHeaders,
      ...limitHeaders(limitStates),
      ...cookie,
      ...replayHeaders(once),
      'X-Request-Id': requestId,
    };
    return success(house, route, data, receipt ? { ...told, ...settlementHeaders(receipt) } : told);
  } catch (error) {
    failed = isFailedPayment(error);
    throw error;
  } finally {
    if (place) await place.end(failed);
    if (failed) await noteFailedPayment(deps, limits, caller);
  }
}

// The document promises every code of an operation: one that it does not list is a fault of ours.
function reportUnlisted({ deps }: House, spec: OperationSpec, error: unknown): void {
  if (!(error instanceof DomainError) || errorsOf(spec).includes(error.code)) return;
  deps.log.error({ operation: spec.id, code: error.code }, 'error code not listed in the contract');
}

function success(house: House, route: Route, data: unknown, headers: Record<string, string>): Answer {
  const { status, otherStatus, contentType } = route.spec;
  if (data instanceof SessionStarted)
    return success(house, route, data.data, { ...headers, 'Set-Cookie': house.sessions.started(data.session) });
  if (data instanceof OtherStatus) return { status: otherStatus ?? status, headers, body: json(route.spec, data.data) };
  if (contentType) {
    const cacheable = { ...headers, 'Content-Type': contentType, 'Cache-Control': 'public, max-age=86400' };
    return { status, headers: cacheable, body: String(data) };
  }
  if (data instanceof JsonText) {
    if (route.spec.rendered && house.deps.config.checkAnswers) checkRendered(route.spec, data);
    return { status, headers, body: data.within('{"success":true,"data":', ',"error":null}') };
  }
  return {
    status,
    headers,
    body: route.options.sharedResults ? sharedJson(house, route.spec, data as object) : json(route.spec, data),
  };
}

function json(spec: OperationSpec, data: unknown): string {
  return JSON.stringify({ success: true, data: spec.output.parse(data), error: null });
}

/** What many ask for is neither shaped nor encoded again. */
function sharedJson(house: House, spec: OperationSpec, data: object): Buffer<ArrayBuffer> {
  const known = house.sharedJson.get(data) ?? Buffer.from(json(spec, data));
  house.sharedJson.set(data, known);
  return known;
}

function failure({ deps }: House, requestId: string, limitStates: LimitState[], cause: unknown): Failure {
  const error = asDomainError(readable(cause), deps.log, requestId);
  // The limit that was exceeded speaks first.
  const states = error instanceof LimitExceeded ? [error.state, ...limitStates] : limitStates;
  const refusal = error instanceof PaymentRefused ? paymentRefusal(error) : null;
  return {
    status: error.status,
    headers: {
      ...jsonHeaders,
      ...limitHeaders(states),
      ...failureHeaders(error),
      'X-Request-Id': requestId,
      ...refusal?.headers,
    },
    body: JSON.stringify({ ...failureBody(error, requestId), ...refusal?.body }),
  };
}

/** A target or a Host that makes no URL is the client's doing. */
function readable(cause: unknown): unknown {
  if (!(cause instanceof RequestError)) return cause;
  return validationError([{ field: 'request', message: 'the URL or the Host header is not valid' }]);
}

function response({ status, headers, body }: Answer): Response {
  return new Response(body, { status, headers });
}
