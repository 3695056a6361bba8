import type { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context as HonoContext, Hono, type Next } from 'hono';
import { compress } from 'hono/compress';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { validationError } from '../../contract/basics/errors.ts';
import { marketOperations } from '../../contract/projects/market.ts';
import { createAddressReader } from '../addresses.ts';
import type { Deps } from '../deps.ts';
import type { Route } from '../serve.ts';
import { createDeadline, createGuard } from './answers/deadline.ts';
import type { HttpAnswer } from './answers/responses.ts';
import { type Authenticators, createAuthenticate, metricsAuthenticator } from './auth/auth.ts';
import { createSessions } from './auth/sessions.ts';
import { mountFront } from './front/front.ts';
import { createMemoryLimits } from './limits/counters.ts';
import { createShedder } from './limits/load.ts';
import { type Limits, type LimitState, limitTable } from './limits/limits.ts';
import { takeLimits } from './limits/limits-of-request.ts';
import { mountMcp } from './mcp/mount.ts';
import { createNotFound } from './not-found.ts';
import { createMetrics } from './metrics/metrics.ts';
import type { ReadSenderMetrics } from './metrics/sources.ts';
import { mountReference } from './openapi/reference.ts';
import type { ConsoleBuild } from './pages/console-files.ts';
import { createFindPage } from './pages/page-facts.ts';
import { mountConsole } from './pages/console.ts';
import { mountMailPages } from './pages/mail-pages.ts';
import { mountMedia } from './pages/media.ts';
import { mountOriginals } from './pages/originals.ts';
import { mountSiteFiles } from './pages/site-files.ts';
import { mountProbes, type ProbeParts } from './probes.ts';
import { createEventStreams } from './streams/event-streams.ts';
import { type Connections, createConnections } from './connections.ts';
import { createShareAcrossOrigins, createWelcome, type ShareAcrossOrigins } from './cross-origin.ts';
import { withCsv } from './csv.ts';
import { refusalOf } from './refusals.ts';
import { type Failure, renderFailure } from './render.ts';
import { type ApiRequest, type HandlerDeps, handleRequest } from './request-handler.ts';

const API_PREFIX = '/api/v1';
/** Below this, in bytes, compressing takes longer than it saves. */
const COMPRESSED_FROM = 4_096;
/** Answers that browsers get compressed. An event stream is text, too, but each event must leave at once. */
const COMPRESSED = /^(?:text\/(?!event-stream)|application\/(?:[\w.-]+\+)?(?:json|xml)\b)/;
/** Public texts that can be large. Each counts as a read without a key. */
const LARGE_TEXT = /^\/(?:sitemap\.xml|feed\.\w+|(?:api\/v1\/)?openapi\.json|docs(?:\/.*)?)$/;

const compressed = compress({ contentTypeFilter: COMPRESSED, threshold: COMPRESSED_FROM });
/** A program with a key asks often and from near by: compressing its answers would halve what a process serves. */
const isProgram = (c: HttpContext) => c.req.header('authorization') !== undefined;

export type AppOptions = {
  deps: Deps;
  routes: Route[];
  authenticators: Authenticators;
  probes: ProbeParts['probes'];
  /** Opens the metrics while METRICS_TOKEN is not set. */
  operatorKey: string;
  /** Accepts presigned PUTs of the disk store; absent with S3. */
  handleUpload?: (request: Request) => Promise<Response>;
  /** Metrics of this process's webhook sender; absent when the process sends no webhooks. */
  webhooks?: ReadSenderMetrics;
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
  /** Lets pages of other origins call the API with a key. Returns whether it has answered. */
  shareAcrossOrigins: ShareAcrossOrigins;
  connections: Connections;
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
  const { handler, probes } = handlerDepsOf(given);
  const fail = (error: unknown, states: LimitState[] = []) => renderFailure(deps, deps.newId(), states, error);
  // The operations have a router of their own: their requests pass no middleware of the pages. Hono's fastest one takes only
  // paths of which none matches another, so the order of the routes means nothing.
  const operations = new Hono<Env>({ strict: true, router: new RegExpRouter() });
  mountOperations(operations, handler, routes);
  const app = new Hono<Env>({ strict: true });
  operations.notFound((c) => app.fetch(c.req.raw, c.env));
  app.use((c, next) => (isProgram(c) ? next() : compressed(c, next)));
  mountProbes(app, { ...probes, isDraining });
  if (!options.probesOnly) {
    app.use((c, next) => (LARGE_TEXT.test(c.req.path) ? counted(handler, c, next) : next()));
    if (handleUpload) app.put('/storage/*', async (c) => await handleUpload(c.req.raw));
    mountMedia(app, { ...deps, readAddress: handler.readAddress }, handler.withDeadline);
    const guarded = createGuard(deps.breaker);
    mountOriginals(app, { ...deps, guarded, count: handler.metrics.download }, handler.withDeadline);
    mountMailPages(app, { ...deps, guarded });
    mountFront(app, { ...deps, ...deps.anonymous, guarded });
    mountMcp(app, {
      ...handler,
      guarded,
      routes,
      answer: (route, request) => handleRequest(handler, route, request),
      fail,
      isWelcome: createWelcome(deps, handler.sessions),
    });
    mountReference(app, deps, routes);
    const findPage = createFindPage({ ...deps, ...deps.anonymous, guarded });
    mountSiteFiles(app, { ...deps, guarded });
    if (options.console !== undefined) mountConsole(app, { ...deps, findPage }, options.console);
  }
  const answerOutsideRoutes = (error: unknown, more: Record<string, string> = {}) => {
    const failed = fail(error);
    const { status, headers } = failed;
    deps.log.info({ requestId: headers['X-Request-Id'], operation: null, status }, 'request');
    return response({ ...failed, headers: { ...headers, ...more } });
  };
  const whyNotFound = createNotFound([operations, app], routes, API_PREFIX);
  app.notFound((c) => {
    const { error, allow } = whyNotFound(c.req.method, c.req.path);
    return answerOutsideRoutes(error, allow === null ? {} : { Allow: allow });
  });
  app.onError((error) => answerOutsideRoutes(error));
  operations.onError((error) => answerOutsideRoutes(error));
  const refusal = (incoming: IncomingMessage) => {
    const message = refusalOf(incoming, deps.config.development);
    return message === null ? null : fail(validationError([{ field: 'request', message }]));
  };
  const stop = () => {
    handler.shedder.stop();
    handler.limits.close();
    handler.streams.stop();
  };
  const shareAcrossOrigins = createShareAcrossOrigins(deps);
  const { limits, trustedProxies } = deps.config;
  const connections = createConnections({ most: limits.connectionsPerAddress, trustedProxies });
  return {
    fetch: operations.fetch,
    shareAcrossOrigins,
    connections,
    refusal,
    fail,
    routes: [...operations.routes, ...app.routes],
    stop,
  };
}

/** Counts a read without a key. @throws LimitExceeded */
async function counted({ deps, limits, readAddress }: HandlerDeps, c: HttpContext, next: Next): Promise<void> {
  const remoteAddress = readAddress(c.env.incoming.socket.remoteAddress ?? '', c.req.header('x-forwarded-for'));
  const { development } = deps.config;
  const request = { caller: { kind: 'public' } as const, remoteAddress, development, states: [] };
  await takeLimits(limits, { ...request, spec: marketOperations.listPublicProjects }, false);
  await next();
}

function handlerDepsOf(options: AppOptions): { handler: HandlerDeps; probes: ProbeParts } {
  const { deps, authenticators, probes, webhooks: sender, limits: shared } = options;
  const { config } = deps;
  const limits: Limits = shared ?? createMemoryLimits(limitTable(config.limits));
  const sessions = createSessions(deps);
  const authenticatorOptions = { limits, sessions, development: config.development };
  const metrics = createMetrics(deps, { probes, sender, limitStore: limits.storeMetrics });
  const readAddress = createAddressReader(config.trustedProxies);
  const forMetrics: Authenticators = {
    keys: { ...authenticators.keys, operator: metricsAuthenticator(config.metricsToken ?? options.operatorKey) },
    // Metrics take their key only.
    sessions: { ...authenticators.sessions, operator: async () => null },
  };
  const handler: HandlerDeps = {
    deps,
    limits,
    sessions,
    authenticate: createAuthenticate(authenticators, authenticatorOptions),
    shedder: createShedder({ connectionWaitMs: () => deps.db.waitedMs() }),
    withDeadline: createDeadline(deps.breaker),
    readAddress,
    streams: createEventStreams(),
    metrics,
  };
  const authenticate = createAuthenticate(forMetrics, authenticatorOptions);
  return { handler, probes: { deps, metrics, probes, authenticate, readAddress } };
}

function mountOperations(app: Hono<Env>, handler: HandlerDeps, routes: Route[]): void {
  for (const route of routes) {
    const { spec } = route;
    if (spec.developmentOnly && !handler.deps.config.development) continue;
    const answerOne = withCsv(spec, (request) => handleRequest(handler, route, request));
    const answerPlain = async (c: HttpContext) => sentOr(c, await answerOne(apiRequestOf(route, c)));
    const answerCompressed = async (c: HttpContext) => {
      await compressed(c, async () => void (c.res = await answerPlain(c)));
      return c.res;
    };
    const answer = (c: HttpContext) => (isProgram(c) ? answerPlain(c) : answerCompressed(c));
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

/** A stream writes to the connection itself; the adapter then sends nothing. */
function sentOr(c: HttpContext, answer: HttpAnswer): Response {
  if (!answer.stream) return response(answer);
  c.env.outgoing.writeHead(answer.status, answer.headers);
  answer.stream(c.env.outgoing);
  return RESPONSE_ALREADY_SENT;
}

function response({ status, headers, body }: HttpAnswer): Response {
  // The length tells a short answer, which is not compressed.
  if (body.length < COMPRESSED_FROM) headers['Content-Length'] = String(Buffer.byteLength(body));
  return new Response(body, { status, headers });
}
