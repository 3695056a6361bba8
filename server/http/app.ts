import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context as HonoContext, Hono } from 'hono';
import { validationError } from '../../contract/basics/errors.ts';
import { operatorOperations } from '../../contract/operator/operator.ts';
import { createAddressReader } from '../addresses.ts';
import { connectionWaitMs } from '../db/public.ts';
import type { Deps } from '../deps.ts';
import type { Route } from '../serve.ts';
import { createDeadline, type HttpAnswer, plainHeaders } from './answers/public.ts';
import { type Authenticators, createAuthenticate, createSessions } from './auth/public.ts';
import { mountFront } from './front/public.ts';
import { createReadiness } from './health.ts';
import { createMemoryLimits, createShedder, type Limits, limitTable } from './limits/public.ts';
import { createNotFound } from './not-found.ts';
import { createMetrics, METRICS_TYPE, type RequestCounts, type SenderMetrics } from './metrics/public.ts';
import { mountReference } from './openapi/public.ts';
import {
  type ConsoleBuild,
  mountConsole,
  mountMailPages,
  mountMedia,
  mountOriginals,
  mountSigningKeys,
} from './pages/public.ts';
import { createEventStreams } from './streams/public.ts';
import { createReader } from './reader.ts';
import { refusalOf } from './refusals.ts';
import { type Failure, renderFailure } from './render.ts';
import { type ApiRequest, type HandlerDeps, handleRequest } from './request-handler.ts';

const API_PREFIX = '/api/v1';

export type AppOptions = {
  deps: Deps;
  routes: Route[];
  authenticators: Authenticators;
  /** Accepts presigned PUTs of the disk store; absent with S3. */
  handleUpload?: (request: Request) => Promise<Response>;
  /** Counts the answered requests. */
  requests: RequestCounts;
  /** Metrics of this process's webhook sender; absent when the process sends no webhooks. */
  webhooks?: SenderMetrics;
  /** The files of the built web console, or `null` when it is not built; absent when the process serves no console. */
  console?: ConsoleBuild | null;
  /** Serves only the probes and the metrics: for a process without clients. */
  probesOnly?: boolean;
  /** Returns true during an orderly shutdown, when /readyz answers 503. */
  isDraining?: () => boolean;
  /** Limits that several processes share; without them this process counts alone. */
  limits?: Limits;
};

export type App = {
  fetch: Hono<Env>['fetch'];
  /** Answers a plain read without `fetch`. Returns false when the request has to go through `fetch`. */
  answerRead(incoming: IncomingMessage, outgoing: ServerResponse): boolean;
  /** Returns the answer to a request that reaches no route because of its headers; null for any other request. */
  refusal(incoming: IncomingMessage): Failure | null;
  /** Returns the answer to a request that reached no route, or that failed outside of one. */
  fail(error: unknown): Failure;
  /** Every route of the router; a test compares them with the OpenAPI document. */
  routes: { method: string; path: string }[];
  stop(): void;
};

type Env = { Bindings: HttpBindings };
type HttpContext = HonoContext<Env>;

/** Builds the HTTP application: every operation of the contract, the probes, the metrics, and the pages. */
export function createApp(given: AppOptions): App {
  const { deps, handleUpload, isDraining, ...options } = given;
  const routes = options.probesOnly ? [] : options.routes;
  const handler = handlerDepsOf(given);
  const fail = (error: unknown) => renderFailure(deps, deps.newId(), [], error);
  const app = new Hono<Env>({ strict: true });
  mountOperations(app, handler, routes);
  app.get('/healthz', (c) => c.json({ status: 'ok' }, 200, plainHeaders));
  const readiness = createReadiness(deps);
  app.get('/readyz', async (c) => {
    const state = await readiness();
    return c.json(state, state.ready && !isDraining?.() ? 200 : 503, plainHeaders);
  });
  app.get('/metrics', async (c) => await answerMetrics(handler, c));
  if (!options.probesOnly) {
    if (handleUpload) app.put('/storage/*', async (c) => await handleUpload(c.req.raw));
    mountMedia(app, deps, handler.withDeadline);
    mountOriginals(app, { ...deps, count: handler.metrics.download }, handler.withDeadline);
    mountSigningKeys(app, deps);
    mountMailPages(app, deps, handler.withDeadline);
    mountFront(app, deps);
    mountReference(app, deps, routes);
    if (options.console !== undefined) mountConsole(app, deps, options.console);
  }
  const answerOutsideRoutes = (error: unknown, more: Record<string, string> = {}) => {
    const failed = fail(error);
    const { status, headers } = failed;
    deps.log.info({ requestId: headers['X-Request-Id'], operation: null, status }, 'request');
    return response({ ...failed, headers: { ...headers, ...more } });
  };
  const whyNotFound = createNotFound(routes, API_PREFIX);
  app.notFound((c) => {
    const { error, allow } = whyNotFound(c.req.method, c.req.path);
    return answerOutsideRoutes(error, allow === null ? {} : { Allow: allow });
  });
  app.onError((error) => answerOutsideRoutes(error));
  const answerRead = createReader(routes, API_PREFIX, (route, request) => handleRequest(handler, route, request), fail);
  const refusal = (incoming: IncomingMessage) => {
    const message = refusalOf(incoming, deps.config.development);
    return message === null ? null : fail(validationError([{ field: 'request', message }]));
  };
  const stop = () => {
    handler.shedder.stop();
    handler.limits.close();
    handler.streams.stop();
  };
  return { fetch: app.fetch, answerRead, refusal, fail, routes: app.routes, stop };
}

function handlerDepsOf({ deps, authenticators, requests, webhooks, limits: shared }: AppOptions): HandlerDeps {
  const limits: Limits = shared ?? createMemoryLimits(limitTable(deps.config.limits), deps.clock);
  const sessions = createSessions(deps);
  return {
    deps,
    limits,
    sessions,
    authenticate: createAuthenticate(authenticators, { limits, sessions, development: deps.config.development }),
    shedder: createShedder({ connectionWaitMs: () => connectionWaitMs(deps.db) }),
    withDeadline: createDeadline(deps.db),
    readAddress: createAddressReader(deps.config.trustedProxies),
    sharedJson: new WeakMap(),
    streams: createEventStreams(),
    metrics: createMetrics(deps, requests, webhooks, limits.storeMetrics),
  };
}

function mountOperations(app: Hono<Env>, handler: HandlerDeps, routes: Route[]): void {
  for (const route of routes) {
    const { spec } = route;
    if (spec.developmentOnly && !handler.deps.config.development) continue;
    const answer = async (c: HttpContext) => sentOr(c, await handleRequest(handler, route, apiRequestOf(route, c)));
    app.on(spec.method, API_PREFIX + honoPath(spec.path), answer);
    // Clients also expect the two network operations without the API prefix.
    if (spec.tag === 'Network') app.on(spec.method, honoPath(spec.path), answer);
  }
}

/** The router writes `/agents/{agent_id}` as `/agents/:agent_id`. */
function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function apiRequestOf({ spec }: Route, c: HttpContext): ApiRequest {
  const { headers, url } = c.req.raw;
  return { incoming: c.env.incoming, headers, params: spec.params ? c.req.param() : {}, url };
}

/** Only the operator may read the metrics. In development any client may, because it runs on the same machine. */
async function answerMetrics({ deps, authenticate, readAddress, metrics }: HandlerDeps, c: HttpContext) {
  const address = readAddress(c.env.incoming.socket.remoteAddress ?? '', c.req.header('x-forwarded-for'));
  if (!deps.config.development) await authenticate(operatorOperations.getLedger, c.req.raw.headers, address, []);
  return new Response(await metrics.text(), { headers: { ...plainHeaders, 'Content-Type': METRICS_TYPE } });
}

/** A stream writes to the connection itself; the adapter then sends nothing. */
function sentOr(c: HttpContext, answer: HttpAnswer): Response {
  if (!answer.stream) return response(answer);
  c.env.outgoing.writeHead(answer.status, answer.headers);
  answer.stream(c.env.outgoing);
  return RESPONSE_ALREADY_SENT;
}

function response({ status, headers, body }: HttpAnswer): Response {
  return new Response(body, { status, headers });
}
