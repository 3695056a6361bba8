import { getConnInfo } from '@hono/node-server/conninfo';
import { type Context as HttpContext, Hono } from 'hono';
import { DomainError } from '../../contract/errors.ts';
import { errorsOf, type OperationSpec } from '../../contract/operation.ts';
import { createAddressReader, isLoopback, limitKey } from '../addresses.ts';
import type { Caller, Context, Deps } from '../context.ts';
import { PaymentRefused } from '../payments/payment-refused.ts';
import { type Authenticate, type Authenticators, createAuthenticate } from './auth.ts';
import { receiveBody } from './body.ts';
import { withDeadline } from './deadline.ts';
import { asDomainError, failureBody, failureHeaders } from './errors.ts';
import { readiness } from './health.ts';
import { parseInput } from './input.ts';
import { createLimits, LimitExceeded, limitHeaders, type Limits, type LimitState } from './limits.ts';
import { createShedder, type Shedder } from './load.ts';
import { paymentRefusal, readPresentedPayment, settlementHeaders } from './payment.ts';
import { mountReference } from './reference.ts';
import { jsonHeaders, plainHeaders } from './responses.ts';
import type { Route } from '../serve.ts';

export const API_PREFIX = '/api/v1';

export type AppOptions = {
  deps: Deps;
  routes: Route[];
  authenticators: Authenticators;
  /** Serves presigned PUTs of the disk store; absent with S3. */
  handleUpload?: (request: Request) => Promise<Response>;
  /** True while an orderly shutdown waits for its last requests: /readyz answers 503. */
  isDraining?: () => boolean;
};

export type App = { fetch: Hono['fetch']; stop(): void };

/** What every handler of one app shares. */
type House = {
  deps: Deps;
  limits: Limits;
  authenticate: Authenticate;
  shedder: Shedder;
  readAddress: (peer: string, forwardedFor: string | undefined) => string;
  sharedJson: WeakMap<object, string>;
};

export function createApp({ deps, routes, authenticators, handleUpload, isDraining }: AppOptions): App {
  const limits = createLimits(deps.config.limits);
  const house: House = {
    deps,
    limits,
    authenticate: createAuthenticate(authenticators, limits, deps.config.development),
    shedder: createShedder(),
    readAddress: createAddressReader(deps.config.trustedProxies),
    sharedJson: new WeakMap(),
  };
  const app = new Hono({ strict: true });
  for (const route of routes) {
    if (route.spec.developmentOnly && !deps.config.development) continue;
    const handler = (c: HttpContext) => answer(house, route, c);
    app.on(route.spec.method, API_PREFIX + honoPath(route.spec.path), handler);
    // The decisions name these two beside the API prefix, so they answer there too.
    if (route.spec.tag === 'Network') app.on(route.spec.method, honoPath(route.spec.path), handler);
  }
  app.get('/healthz', (c) => c.json({ status: 'ok' }, 200, plainHeaders));
  app.get('/readyz', async (c) => {
    const state = await readiness(deps);
    return c.json(state, state.ready && !isDraining?.() ? 200 : 503, plainHeaders);
  });
  if (handleUpload) app.put('/storage/*', async (c) => await handleUpload(c.req.raw));
  mountReference(app, deps, routes);
  app.notFound(() => failure(house, deps.newId(), [], new DomainError('NOT_FOUND', 'No such route.')));
  app.onError((error) => failure(house, deps.newId(), [], error));
  return { fetch: app.fetch, stop: () => house.shedder.stop() };
}

/** `/agents/{agent_id}` is `/agents/:agent_id` to the router. */
function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

async function answer(house: House, route: Route, c: HttpContext): Promise<Response> {
  const { deps } = house;
  const { spec } = route;
  const requestId = deps.newId();
  const startedAt = performance.now();
  const limitStates: LimitState[] = [];
  let response: Response;
  try {
    house.shedder.admit(spec);
    response = await withDeadline(deps.db, spec.paid === true, perform(house, route, c, requestId, limitStates));
  } catch (error) {
    response = failure(house, requestId, limitStates, error);
    reportUnlisted(house, spec, error);
  }
  if (deps.log.isLevelEnabled('info')) {
    deps.log.info({ requestId, operation: spec.id, status: response.status, ms: Math.round(performance.now() - startedAt) }, 'request');
  }
  return response;
}

async function perform(house: House, route: Route, c: HttpContext, requestId: string, limitStates: LimitState[]): Promise<Response> {
  const { deps } = house;
  const { spec } = route;
  const headers = c.req.raw.headers;
  const remoteAddress = house.readAddress(getConnInfo(c).remote.address ?? '', headers.get('x-forwarded-for') ?? undefined);
  const caller = await house.authenticate(spec, headers.get('authorization'), remoteAddress);
  await takeLimits(house, spec, caller, remoteAddress, limitStates);
  const body = spec.body ? await receiveBody(c.req.raw) : null;
  const params = c.req.param() as Record<string, string>;
  const input = parseInput(spec, { headers, params, search: searchOf(c.req.url), body });
  const payment = spec.paid ? readPresentedPayment(headers) : null;
  const ctx: Context = { ...deps, caller, requestId, remoteAddress };
  try {
    const { data, receipt } = await route.run(ctx, { ...input, payment });
    const extra = { ...limitHeaders(limitStates, deps.clock.now()), 'X-Request-Id': requestId, ...(receipt ? settlementHeaders(receipt) : {}) };
    return success(house, route, data, extra);
  } catch (error) {
    await countFailedPayment(house, caller, error);
    throw error;
  }
}

// The document promises every code of an operation: one that it does not list is a fault of ours.
function reportUnlisted({ deps }: House, spec: OperationSpec, error: unknown): void {
  if (!(error instanceof DomainError) || errorsOf(spec).includes(error.code)) return;
  deps.log.error({ operation: spec.id, code: error.code }, 'error code not listed in the contract');
}

function searchOf(url: string): URLSearchParams {
  const at = url.indexOf('?');
  return new URLSearchParams(at === -1 ? '' : url.slice(at));
}

async function takeLimits({ limits, deps }: House, spec: OperationSpec, caller: Caller, remoteAddress: string, states: LimitState[]): Promise<void> {
  const code = spec.limitError ?? 'RATE_LIMIT_EXCEEDED';
  for (const name of spec.limits ?? []) {
    if (name === 'registration' && deps.config.development && isLoopback(remoteAddress)) continue;
    states.push(await limits.take(name, limitSubject(caller, remoteAddress), code));
  }
  if (spec.paid) await limits.refuseWhenSpent('failedPayments', limitSubject(caller, remoteAddress), code);
}

function limitSubject(caller: Caller, remoteAddress: string): string {
  if (caller.kind === 'agent') return caller.agentId;
  if (caller.kind === 'poster') return caller.posterId;
  return limitKey(remoteAddress);
}

async function countFailedPayment({ limits }: House, caller: Caller, error: unknown): Promise<void> {
  if (!(error instanceof PaymentRefused) || !error.counted) return;
  // The window that this one fills is refused at the next request.
  await limits.take('failedPayments', limitSubject(caller, ''), 'RATE_LIMITED').catch(() => {});
}

function success(house: House, { spec, options }: Route, data: unknown, extra: Record<string, string>): Response {
  if (spec.contentType) {
    const headers = { ...jsonHeaders, ...extra, 'Content-Type': spec.contentType, 'Cache-Control': 'public, max-age=86400' };
    return new Response(String(data), { status: spec.status, headers });
  }
  return new Response(jsonOf(house, spec, options.sharedResults === true, data), { status: spec.status, headers: { ...jsonHeaders, ...extra } });
}

function jsonOf({ sharedJson }: House, spec: OperationSpec, shared: boolean, data: unknown): string {
  const known = shared ? sharedJson.get(data as object) : undefined;
  if (known !== undefined) return known;
  const json = JSON.stringify({ success: true, data: spec.output.parse(data), error: null });
  if (shared) sharedJson.set(data as object, json);
  return json;
}

function failure({ deps }: House, requestId: string, limitStates: LimitState[], cause: unknown): Response {
  const error = asDomainError(cause, deps.log, requestId);
  const states = error instanceof LimitExceeded ? [...limitStates, error.state] : limitStates;
  const body = failureBody(error, requestId);
  const headers = { ...jsonHeaders, ...limitHeaders(states, deps.clock.now()), ...failureHeaders(error), 'X-Request-Id': requestId };
  const refusal = error instanceof PaymentRefused ? paymentRefusal(error) : null;
  return new Response(JSON.stringify({ ...body, ...refusal?.body }), { status: error.status, headers: { ...headers, ...refusal?.headers } });
}
