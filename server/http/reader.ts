import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Route } from '../serve.ts';
import type { HttpAnswer } from './answers/public.ts';
import type { ApiRequest } from './request-handler.ts';
import { createTurns } from './turns.ts';

// Encoded, relative, and absolute targets are left to the router.
const PLAIN_TARGET = /^\/[!#-;=?-[\]_a-z~]*$/;
const PLAIN_HOST = /^[a-z0-9._-]+(?::[1-5]?\d{4})?$/;

const NO_PARAMS = {};

/**
 * Answers GET operations without path parameters, such as the search, without Hono's router, Request, and Response
 * (docs/decisions/0053). Returns false for every other request, and for an unusual spelling of the same one. Both ways
 * share `answer`; reader.test.ts compares their answers.
 */
export function createReader(
  routes: Route[],
  prefix: string,
  answer: (route: Route, request: ApiRequest) => Promise<HttpAnswer>,
  fail: (error: unknown) => HttpAnswer,
): (incoming: IncomingMessage, outgoing: ServerResponse) => boolean {
  const reads = new Map(
    routes
      .filter(({ spec }) => spec.method === 'get' && !spec.params && !spec.developmentOnly)
      .map((route) => [prefix + route.spec.path, route]),
  );
  const currentTurn = createTurns();
  return (incoming, outgoing) => {
    const { method, url = '' } = incoming;
    if (method !== 'GET' || !PLAIN_TARGET.test(url) || !PLAIN_HOST.test(incoming.headers.host ?? '')) return false;
    const queryAt = url.indexOf('?');
    const route = reads.get(queryAt === -1 ? url : url.slice(0, queryAt));
    if (!route) return false;
    const request = { incoming, headers: new RawHeaders(incoming.rawHeaders), params: NO_PARAMS, url };
    const turn = currentTurn();
    void answer(route, request)
      .catch((error: unknown) => fail(error))
      .then((answered) => turn.atEnd(() => sendOrFail(outgoing, answered, fail)));
    return true;
  };
}

function sendOrFail(outgoing: ServerResponse, answered: HttpAnswer, fail: (error: unknown) => HttpAnswer): void {
  try {
    send(outgoing, answered);
  } catch (error) {
    if (outgoing.headersSent) outgoing.destroy();
    else send(outgoing, fail(error));
  }
}

function send(outgoing: ServerResponse, { status, headers, body, stream }: HttpAnswer): void {
  if (stream) {
    outgoing.writeHead(status, headers);
    stream(outgoing);
    return;
  }
  outgoing.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
}

/** Headers as they arrived. Node drops a second Authorization header, but two of them must not identify a caller. */
class RawHeaders {
  readonly #raw: string[];

  constructor(raw: string[]) {
    this.#raw = raw;
  }

  get(name: string): string | null {
    let found: string | null = null;
    for (let index = 0; index < this.#raw.length; index += 2) {
      const { [index]: given = '', [index + 1]: value = '' } = this.#raw;
      if (given.length !== name.length || given.toLowerCase() !== name) continue;
      found = found === null ? value : `${found}, ${value}`;
    }
    return found;
  }
}
