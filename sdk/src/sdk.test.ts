import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import type { z } from 'zod';
import { ConcoursError, createAgent, createPoster, type EventsOptions, type Fetch, type Wallet } from './index.ts';
import type { OperationSpec } from '../../contract/basics/operation.ts';
import type { operations } from '../../contract/operations.ts';
import type { Search } from './search.ts';
import type { PublicSearch } from './visitor.ts';

// The service is a function here: each answer is written by the test, also those that break. The package waits only between
// two requests, and these waits take no time.
const { setTimeout: real } = globalThis;
mock.method(globalThis, 'setTimeout', (work: () => void) => real(work, 0));

type Step = (url: URL, headers: Headers) => Response | Promise<Response>;
const event = (number: number) => ({ id: `e${number}`, type: 'SUBMISSION.CONFIRMED', occurred_at: 't', data: {} });
const page = (numbers: number[], members: object = {}) => {
  const cursor = numbers.length > 0 ? `e${numbers.at(-1)}` : 'start';
  const data = { events: numbers.map(event), cursor, has_more: false, truncated: false, ...members };
  return Response.json({ success: true, data, error: null });
};
const message = (number: number) => `id: e${number}\ndata: ${JSON.stringify(event(number))}\n\n`;

/** A stream that sends these texts, and then ends or breaks. */
function stream(texts: string[], { breaks = false, truncated = false } = {}): Response {
  const left = texts.map((text) => new TextEncoder().encode(text));
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = left.shift();
      if (next) controller.enqueue(next);
      else if (breaks) controller.error(new TypeError('terminated'));
      else controller.close();
    },
  });
  const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'x-events-truncated': String(truncated) };
  return new Response(body, { headers });
}

/** Reads this many events from a service that answers with these steps, in this order. */
async function read(count: number, steps: Step[], options: EventsOptions<never> = {}) {
  const asked: string[] = [];
  const send: Fetch = async (input, init) => {
    const url = new URL(input);
    const headers = new Headers(init.headers);
    const isStream = headers.get('accept') === 'text/event-stream';
    const place = isStream ? `stream ${headers.get('last-event-id')}` : `page ${url.searchParams.get('after')}`;
    asked.push(place);
    const step = steps.shift();
    assert.ok(step, `no answer for ${place}`);
    // An answer that never comes ends with the signal, as that of `fetch` does.
    const aborted = new Promise<never>((_, reject) =>
      init.signal?.addEventListener('abort', () => reject(new Error())),
    );
    return await Promise.race([step(url, headers), aborted]);
  };
  const agent = createAgent({ url: 'https://market.example', key: 'k', fetch: send, retrySeconds: 0 });
  const ids: string[] = [];
  for await (const { id } of agent.events(options)) if (ids.push(id) === count) break;
  return { ids, asked };
}

describe('events', () => {
  it('come from the pages of the past, then from the stream, each once and in order', async () => {
    const { ids, asked } = await read(4, [
      () => page([1], { has_more: true }),
      () => page([2]),
      // A message that arrives in pieces, heartbeats, and another line end.
      () =>
        stream([
          ': heartbeat\n\n',
          message(3).slice(0, 9),
          `${message(3).slice(9)}${message(4).replaceAll('\n', '\r\n')}`,
        ]),
    ]);
    assert.deepEqual(
      [ids, asked],
      [
        ['e1', 'e2', 'e3', 'e4'],
        ['page null', 'page e1', 'stream e2'],
      ],
    );
  });

  it('resume after the last one when the connection breaks, also before the first', async () => {
    const { ids, asked } = await read(
      2,
      [
        () => page([]),
        () => stream([': heartbeat\n\n'], { breaks: true }),
        () => {
          throw new TypeError('fetch failed');
        },
        () => page([]),
        () => stream([message(1), message(2).slice(0, 20)], { breaks: true }),
        () => stream([message(2)]),
      ],
      { after: 'now' },
    );
    assert.deepEqual(ids, ['e1', 'e2']);
    assert.deepEqual(asked, ['page now', 'stream start', 'stream start', 'page start', 'stream start', 'stream e1']);
  });

  it('are polled where there is no stream', async () => {
    const refusals = [
      () => page([2]),
      () => Response.json({ success: false, error: { code: 'RATE_LIMIT_EXCEEDED', message: 'two' } }, { status: 429 }),
    ];
    for (const refusal of refusals) {
      const { ids, asked } = await read(3, [
        () => page([1]),
        refusal,
        () => page([2]),
        () => page([]),
        () => page([3]),
      ]);
      assert.deepEqual(ids, ['e1', 'e2', 'e3']);
      assert.deepEqual(asked.slice(1), ['stream e1', 'page e1', 'page e2', 'page start']);
    }
  });

  it('are read from pages where a proxy holds the stream back, or its headers', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const ticking = setInterval(() => mock.timers.tick(45_000));
    try {
      const { ids, asked } = await read(4, [
        () => page([1]),
        () => new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } }),
        () => page([2]),
        () => new Promise(() => {}),
        () => page([3]),
        () => page([4]),
      ]);
      assert.deepEqual(ids, ['e1', 'e2', 'e3', 'e4']);
      assert.deepEqual(asked.slice(1), ['stream e1', 'page e1', 'stream e2', 'page e2', 'page e3']);
    } finally {
      clearInterval(ticking);
      mock.timers.reset();
    }
  });

  it('end after those of now if the caller does not follow, and tell of a gap', async () => {
    assert.deepEqual((await read(9, [() => page([1, 2])], { follow: false })).ids, ['e1', 'e2']);
    let gaps = 0;
    const send: Fetch = async () => page([], { truncated: true });
    const agent = createAgent({ url: 'https://market.example', key: 'k', fetch: send });
    assert.deepEqual(await Array.fromAsync(agent.events({ after: 'e1', follow: false, onGap: () => (gaps += 1) })), []);
    assert.equal(gaps, 1);
  });

  it('go on, and tell of a gap, when the stream no longer knows the last one and starts again', async () => {
    let gaps = 0;
    const { ids, asked } = await read(
      5,
      [
        () => page([2]),
        () => stream([message(3), message(4)], { breaks: true }),
        // The service was restored from a backup of before the fourth event, and two others followed.
        () => stream([message(3), message(5)], { truncated: true, breaks: true }),
        () => stream([message(6)]),
      ],
      { after: 'e1', onGap: () => (gaps += 1) },
    );
    assert.deepEqual([ids, gaps], [['e2', 'e3', 'e4', 'e3', 'e5'], 1]);
    assert.deepEqual(asked.slice(1), ['stream e2', 'stream e4']);
  });

  it('end with the error of a key that is not valid, and with the reason of the caller', async () => {
    const refused = () =>
      Response.json({ success: false, error: { code: 'INVALID_API_KEY', message: 'no' } }, { status: 401 });
    await assert.rejects(
      read(1, [() => page([]), refused, refused]),
      (error) => error instanceof ConcoursError && error.code === 'INVALID_API_KEY',
    );
    const stop = new AbortController();
    const send: Fetch = async (_url, init) => {
      if (new Headers(init.headers).get('accept') !== 'text/event-stream') return page([]);
      stop.abort();
      throw new TypeError('fetch failed');
    };
    const agent = createAgent({ url: 'https://market.example', key: 'k', fetch: send });
    await assert.rejects(Array.fromAsync(agent.events({ signal: stop.signal })), { name: 'AbortError' });
  });
});

const PAY_TO = `0x${'22'.repeat(20)}`;
const USDC = `0x${'33'.repeat(20)}`;
const OFFER = { scheme: 'exact', network: 'eip155:84532', amount: '1000000', asset: USDC, payTo: PAY_TO };
const required = (maxTimeoutSeconds = 300) => ({ x402Version: 2, accepts: [{ ...OFFER, maxTimeoutSeconds }] });
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
const wallet: Wallet = { address: `0x${'11'.repeat(20)}`, signTypedData: async () => '0x' };
const success = (data: object) => Response.json({ success: true, data, error: null });
const refusal = (code: string, members: object = {}, seconds?: number) =>
  Response.json(
    { success: false, data: null, error: { code, message: code }, ...members },
    { status: 402, headers: { 'payment-required': base64(required(seconds)) } },
  );
const failedBefore = () => refusal('PAYMENT_FAILED', { authorization_failed: true });

/**
 * Publishes a project. `answer` gets the number of the payment, from 0. Returns the nonces of all payments, in order.
 *
 * @param seconds how long a signature lives
 */
async function publish(answer: (payment: number) => Response, seconds?: number) {
  const nonces: string[] = [];
  const draft = { id: 'p1', prize_amount: 1_000_000, auto_select_deadline: 't' };
  const send: Fetch = async (input, init) => {
    if (input.endsWith('/network')) return success({ network: OFFER.network, usdc: { address: USDC }, pay_to: PAY_TO });
    if (!input.endsWith('/publish')) return success({ project: draft });
    const header = new Headers(init.headers).get('payment-signature');
    if (header === null) return refusal('PAYMENT_REQUIRED', {}, seconds);
    const { payload } = JSON.parse(Buffer.from(header, 'base64').toString());
    nonces.push(payload.authorization.nonce);
    return answer(nonces.length - 1);
  };
  const poster = createPoster({ url: 'https://market.example', key: 'k', wallet, fetch: send });
  const error = await poster.publish('p1', { maxPrize: 1 }).then(
    () => null,
    (caught: unknown) => caught,
  );
  return { nonces, error };
}

describe('a payment', () => {
  it('signs the next transfer while the service says that the one before failed in an earlier request', async () => {
    const failed = 8;
    const first = await publish((payment) => (payment < failed ? failedBefore() : success({ project: {} })));
    assert.equal(first.error, null);
    assert.equal(new Set(first.nonces).size, failed + 1);
    const other = await publish(failedBefore);
    assert.deepEqual(other.nonces.slice(0, failed + 1), first.nonces, 'another process signs the same transfers');
    assert.ok(other.error instanceof ConcoursError && other.error.code === 'PAYMENT_FAILED');
    assert.equal(other.nonces.length, 11);
  });

  it('is not signed again when it fails in this request', async () => {
    const { nonces, error } = await publish((payment) => (payment < 6 ? failedBefore() : refusal('PAYMENT_FAILED')));
    assert.ok(error instanceof ConcoursError && error.code === 'PAYMENT_FAILED');
    assert.equal(nonces.length, 7);
  });

  it('signs the same transfer a few times if its signature ends on the way', async () => {
    const { nonces, error } = await publish((payment) => (payment < 6 ? failedBefore() : refusal('PAYMENT_FAILED')), 1);
    assert.ok(error instanceof ConcoursError && error.code === 'PAYMENT_FAILED');
    assert.deepEqual([nonces.length, new Set(nonces).size], [11, 7]);
  });
});

it('a call that is safe to repeat reads what an earlier try did, whose answer was lost', async () => {
  const lost: Record<string, object> = {
    'GET /p1': { project: { closes_at: 't', status: 'judging' } },
    'POST /challenge': { message: 'sign' },
    'GET /me': { wallet: { address: wallet.address, proven: true, pending: null } },
  };
  const answers = (given: Record<string, object>): Fetch => {
    return async (input, { method }) => {
      const found = given[`${method} ${input.slice(input.lastIndexOf('/'))}`];
      const error = { code: 'WALLET_CHALLENGE_INVALID', message: 'refused' };
      return found ? success(found) : Response.json({ success: false, data: null, error }, { status: 409 });
    };
  };
  const signMessage = async () => '0x' as const;
  const given = { url: 'https://market.example', key: 'k', wallet: { ...wallet, signMessage } };
  assert.equal((await createPoster({ ...given, fetch: answers(lost) }).close('p1')).status, 'judging');
  const unclosed = answers({ 'GET /p1': { project: { closes_at: null, status: 'open' } } });
  await assert.rejects(createPoster({ ...given, fetch: unclosed }).close('p1'), { status: 409 });
  assert.equal((await createAgent({ ...given, fetch: answers(lost) }).linkWallet()).proven, true);
  const other = answers({ ...lost, 'GET /me': { wallet: { address: PAY_TO, proven: true, pending: null } } });
  await assert.rejects(createAgent({ ...given, fetch: other }).linkWallet(), { code: 'WALLET_CHALLENGE_INVALID' });
});

it('a download is repeated while the service has no room, and fails with the error of the service', async () => {
  const bytes = new TextEncoder().encode('original');
  const sha256 = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
  const file = { item: 1, file_name: 'dawn.png', sha256, url: 'https://market.example/originals/g/1' };
  const refused = (code: string, status: number) =>
    Response.json({ success: false, error: { code, message: code } }, { status, headers: { 'retry-after': '0' } });
  const answers = [refused('SERVICE_UNAVAILABLE', 503), new Response(bytes), refused('NOT_FOUND', 404)];
  const send: Fetch = async (input) => {
    if (input === file.url) return answers.shift() ?? assert.fail('one request too many');
    return success({ files: [file], project: { id: 'p1', winner_submission_id: 's1' } });
  };
  const poster = createPoster({ url: 'https://market.example', key: 'k', fetch: send });
  const original = (await poster.delivery('p1')).files[0]!;
  assert.deepEqual(await original.read(), bytes);
  await assert.rejects(original.read(), { code: 'NOT_FOUND', status: 404 });
});

/** Compiles only if every `Given` is a `Wanted`. */
type Is<Wanted, Given extends Wanted> = [Wanted, Given];

type Filters<O extends OperationSpec> = Exclude<keyof z.output<NonNullable<O['query']>>, 'limit' | 'offset' | 'cursor'>;

/** Every filter of a search is one of the package. `created_after` belongs to `follow`, and there is one type of projects. */
export type CheckedFilters = [
  Is<keyof Search | 'created_after' | 'project_type_id', Filters<(typeof operations)['searchProjects']>>,
  Is<keyof PublicSearch, Filters<(typeof operations)['listPublicProjects']>>,
];
