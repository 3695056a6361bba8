import type { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { type AuthInfo, createMcpHandler } from '@modelcontextprotocol/server';
import type { Hono } from 'hono';
import { DomainError, validationError } from '../../../contract/basics/errors.ts';
import { operations } from '../../../contract/operations.ts';
import type { OperationSpec } from '../../../contract/basics/operation.ts';
import type { Deps } from '../../deps.ts';
import type { Caller } from '../../callers.ts';
import type { Route } from '../../serve.ts';
import type { Guarded } from '../answers/deadline.ts';
import { unavailable } from '../answers/errors.ts';
import { type HttpAnswer, plainHeaders } from '../answers/responses.ts';
import type { Authenticate } from '../auth/auth.ts';
import { createPlaces } from '../../turns.ts';
import { MAX_BODY_BYTES, readBytes } from '../parsing/body.ts';
import { limitHeaders, type Limits, type LimitState } from '../limits/limits.ts';
import type { Shedder } from '../limits/load.ts';
import { isObject } from './json-schema.ts';
import { callsTool, countBatch, countMessage, shortened } from './messages.ts';
import type { AnswerOperation } from './perform.ts';
import { jsonOf } from './results.ts';
import { buildSchemas, createMcpServer, type Fail, type Visitor } from './server.ts';

const PATH = '/mcp';

// A file of 1 MB as base64, with room for a refusal that names the bound.
const MAX_AGENT_BODY_BYTES = 2 * 1024 * 1024;
const BODY_TIMEOUT_MS = 15_000;
/** The most files of one agent that this process holds at a time. */
const MOST_FILES_OF_AGENT = 2;
/** The most files of all agents that have arrived and are being worked on. Those that arrive count as bytes in flight. */
const MOST_FILES_AT_WORK = 32;
const RETRY_SECONDS = 5;
/** Only the oldest revision of the protocol has batches. */
const MAX_BATCH = 10;

export type McpParts = {
  deps: Deps;
  routes: readonly Route[];
  answer: AnswerOperation;
  fail: Fail;
  authenticate: Authenticate;
  guarded: Guarded;
  /** Tells whether a request comes from a program, or from a page that may use the tools. */
  isWelcome(headers: Headers): boolean;
  limits: Limits;
  shedder: Shedder;
  readAddress(peer: string, forwardedFor: string | undefined): string;
};

type Headers = Pick<globalThis.Headers, 'get'>;

/**
 * Serves the tools over MCP: streamable HTTP without sessions, for the revisions with `initialize` and for those without.
 * Each request stands alone, so any process can answer it.
 */
export function mountMcp<E extends { Bindings: HttpBindings }>(app: Hono<E>, parts: McpParts): void {
  const { deps } = parts;
  if (!deps.config.development) buildSchemas();
  const server = { ...parts, routes: new Map<OperationSpec, Route>(parts.routes.map((route) => [route.spec, route])) };
  const visitors = new WeakMap<AuthInfo, Visitor>();
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const visitor = authInfo && visitors.get(authInfo);
      if (!visitor) throw new Error('an MCP request without a visitor');
      return createMcpServer(server, visitor);
    },
    {
      onerror: (error) => deps.log.debug({ err: error }, 'mcp'),
      maxRequestBodySize: MAX_AGENT_BODY_BYTES,
      // The list of tools changes only with the key.
      maxSubscriptions: 0,
    },
  );
  const files = { ofAgent: createPlaces(MOST_FILES_OF_AGENT), atWork: createPlaces(MOST_FILES_AT_WORK) };

  async function serveMcp(
    { incoming, outgoing }: HttpBindings,
    request: Request,
    states: LimitState[],
  ): Promise<Response> {
    const { method, url, headers } = request;
    if (!parts.isWelcome(headers)) throw new DomainError('ORIGIN_FORBIDDEN', 'This page may not send this request.');
    // The handler answers 405, because there are no sessions to open or to end.
    if (method !== 'POST') return await handler.fetch(request);
    const visitor = await identify(parts, incoming, headers, states);
    const { caller, carrier } = visitor;
    const counted = { caller, remoteAddress: carrier.remoteAddress, development: deps.config.development, states };
    await countMessage(parts, counted);
    const bytes = await readMessage({ ...parts, files }, visitor, { incoming, outgoing }, states);
    const parsedBody = shortened(jsonIn(bytes));
    if (Array.isArray(parsedBody) && (parsedBody.length > MAX_BATCH || parsedBody.filter(callsTool).length > 1))
      throw validationError([{ field: 'body', message: `at most ${MAX_BATCH} messages, and one tools/call` }]);
    await countBatch(parts, counted, parsedBody);
    const authInfo: AuthInfo = { token: '', clientId: caller.kind, scopes: [] };
    visitors.set(authInfo, visitor);
    // The protocol's own parser reads bytes that are not UTF-8, and would take a message that nobody has counted.
    const body = parsedBody === undefined ? '' : JSON.stringify(parsedBody);
    const whole = new Request(url, { method, headers, body });
    return await handler.fetch(whole, { authInfo, ...(parsedBody === undefined ? {} : { parsedBody }) });
  }

  app.all(PATH, async (c) => {
    const states: LimitState[] = [];
    const response = await serveMcp(c.env, c.req.raw, states).catch((error: unknown) =>
      refused(parts.fail(error, states)),
    );
    const { status, headers } = response;
    deps.log.info({ operation: 'mcp', status }, 'request');
    for (const [name, value] of Object.entries({ ...plainHeaders, ...limitHeaders(states) })) headers.set(name, value);
    return response;
  });
}

type Reading = { limits: Limits; files: Record<'ofAgent' | 'atWork', ReturnType<typeof createPlaces>> };
type Exchange = Pick<HttpBindings, 'incoming' | 'outgoing'>;

/**
 * Reads the body. An agent's may hold a file: it takes a place, and counts as an operation, once it cannot be anything else.
 *
 * @throws DomainError
 */
async function readMessage(
  { limits, files }: Reading,
  { caller }: Visitor,
  { incoming, outgoing }: Exchange,
  states: LimitState[],
): Promise<Buffer> {
  if (caller.kind !== 'agent') return await readBytes(incoming, BODY_TIMEOUT_MS, MAX_BODY_BYTES);
  const { agentId } = caller;
  const counting: Promise<void>[] = [];
  const large = () => {
    if (counting.length > 0) return;
    const free = files.ofAgent(agentId);
    if (!free)
      throw new DomainError(
        'RATE_LIMIT_EXCEEDED',
        `At most ${MOST_FILES_OF_AGENT} of your files may arrive at a time.`,
        {
          retryAfterSeconds: RETRY_SECONDS,
        },
      );
    outgoing.once('close', free);
    const counted = limits.take(['agentOperations'], agentId, 'RATE_LIMIT_EXCEEDED', states);
    // The refusal is told when the body is there, or never.
    counted.catch(() => {});
    counting.push(counted);
  };
  const bytes = await readBytes(incoming, BODY_TIMEOUT_MS, MAX_AGENT_BODY_BYTES, { above: MAX_BODY_BYTES, large });
  if (counting.length === 0) return bytes;
  const free = files.atWork('all agents');
  if (!free) throw unavailable('Too many files are being processed. Try again shortly.');
  // Before the next wait: a client that leaves meanwhile must free it, too.
  outgoing.once('close', free);
  await Promise.all(counting);
  return bytes;
}

/** Returns who connects: an agent or a poster by the key, or the public without one. */
async function identify(
  { authenticate, guarded, readAddress }: McpParts,
  incoming: IncomingMessage,
  headers: Headers,
  states: LimitState[],
): Promise<Visitor> {
  const remoteAddress = readAddress(incoming.socket.remoteAddress ?? '', headers.get('x-forwarded-for') ?? undefined);
  const carrier = { incoming, headers, remoteAddress };
  const authorization = headers.get('authorization');
  if (authorization === null) return { caller: { kind: 'public' }, carrier };
  // The operation only says which kind of key is looked up.
  const spec = /^Bearer +cp_/i.test(authorization) ? operations.listOwnProjects : operations.getMe;
  const caller: Caller = await guarded(() => authenticate(spec, headers, remoteAddress, states));
  return { caller, carrier };
}

/** Returns the JSON of a body; undefined for anything else, which the protocol's own parser refuses. */
function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** Returns the answer to a request that no tool has seen: the error of the API within an error of JSON-RPC. */
function refused({ status, headers, body }: HttpAnswer): Response {
  const { error } = jsonOf(body);
  const message = isObject(error) ? error['message'] : 'refused';
  const answer = { jsonrpc: '2.0', id: null, error: { code: -32_000, message, data: error } };
  return new Response(JSON.stringify(answer), { status, headers: { ...plainHeaders, ...headers } });
}
