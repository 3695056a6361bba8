import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiAnswer as Reply } from '../support/clients/api-document.ts';
import type { ParsedJson } from '../support/clients/parsed-json.ts';

/** One answer that a client got, or a connection that broke (status 0). Times are those of `performance.now()`. */
export type Exchange = {
  kind: string;
  began: number;
  ended: number;
  status: number;
  code: string | null;
  /** Why a client cannot work with this answer, or null. */
  fault: string | null;
};

/** A request that was not answered as the client hoped. The client tries again later. */
export class NotNow extends Error {
  /** The status of the answer; 0 without one. */
  readonly status: number;

  constructor(message: string, status = 0) {
    super(message);
    this.status = status;
  }
}

const CLIENT_TIMEOUT_MS = 30_000;
/** A client leaves an address alone for so long after its connection was refused. */
const AVOID_MS = 1_000;

export type Question = {
  kind: string;
  method?: string;
  path: string;
  key?: string;
  body?: unknown;
  headers?: Record<string, string>;
};

/** Sends requests to the service, and keeps how each was answered. */
export class Client {
  readonly exchanges: Exchange[] = [];
  readonly #addresses: { url: string; avoidUntil: number }[];
  #turn = 0;

  constructor(urls: string[]) {
    this.#addresses = urls.map((url) => ({ url, avoidUntil: 0 }));
  }

  /** Returns the addresses in turn, without those that just refused a connection. */
  #next(): { url: string; avoidUntil: number } {
    this.#turn += 1;
    const inTurn = this.#addresses.map((_, step, all) => all[(this.#turn + step) % all.length]!);
    return inTurn.find(({ avoidUntil }) => avoidUntil < performance.now()) ?? inTurn[0]!;
  }

  /** Sends one request, and returns its answer if the status is one of those. @throws NotNow otherwise */
  async ask(question: Question, expected: number[] = [200]): Promise<Reply> {
    const reply = await this.#send(question);
    if (expected.includes(reply.status)) return reply;
    const { kind } = question;
    throw new NotNow(`${kind}: ${reply.status} ${JSON.stringify(reply.body).slice(0, 300)}`, reply.status);
  }

  async #send({ kind, method = 'GET', path, key, body, headers = {} }: Question): Promise<Reply> {
    const address = this.#next();
    const began = performance.now();
    const note = (answer: Pick<Exchange, 'status' | 'code' | 'fault'>) =>
      this.exchanges.push({ kind, began, ended: performance.now(), ...answer });
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${address.url}/api/v1${path}`, {
        method: body === undefined ? method : 'POST',
        headers: {
          'x-forwarded-for': '203.0.113.7',
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        signal: AbortSignal.timeout(CLIENT_TIMEOUT_MS),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      text = await response.text();
    } catch (error) {
      address.avoidUntil = performance.now() + AVOID_MS;
      const isLate = (error as Error).name === 'TimeoutError';
      note({ status: 0, code: null, fault: isLate ? 'no answer within 30 s' : null });
      throw new NotNow(`${kind}: ${(error as Error).message}`);
    }
    const reply = { status: response.status, headers: response.headers, body: parse(text) };
    note({ status: reply.status, code: codeOf(reply), fault: faultOf(reply, text) });
    return reply;
  }
}

/** The code of an overloaded service is INTERNAL_ERROR, as that of other 503s. Only its message tells them apart. */
export const OVERLOADED = 'OVERLOADED';

function codeOf({ body }: Reply): string | null {
  return body.error?.message?.startsWith('The service is overloaded') ? OVERLOADED : (body.error?.code ?? null);
}

function parse(text: string): ParsedJson {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** Each failure of the service must be JSON and say when to come back. The other refusals are the load's to judge. */
function faultOf({ status, headers, body }: Reply, text: string): string | null {
  if (status < 500) return null;
  const isJson = headers.get('content-type')?.startsWith('application/json') === true && body.error?.code !== undefined;
  const says = `${status} ${text.slice(0, 200)}`;
  if (!isJson) return `no JSON: ${says}`;
  if (!(Number(headers.get('retry-after')) > 0)) return `no Retry-After: ${says}`;
  return status === 502 || status === 503 ? null : says;
}

/** Runs jobs so that `rate` requests a second are sent, whether or not the earlier ones were answered. */
export async function keepSending(
  client: Client,
  { rate, isOver, next }: { rate: number; isOver: () => boolean; next: (turn: number) => Promise<void> },
): Promise<void> {
  const began = performance.now();
  const open = new Set<Promise<void>>();
  let waiting = 0;
  for (let turn = 0; !isOver(); await sleep(5)) {
    const due = Math.floor(((performance.now() - began) * rate) / 1000);
    // A job sends at least one request, which counts from its start.
    for (; client.exchanges.length + waiting < due; turn += 1) {
      waiting += 1;
      const done = next(turn).finally(() => {
        waiting -= 1;
        open.delete(done);
      });
      open.add(done);
    }
  }
  await Promise.all(open);
}
