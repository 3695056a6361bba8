import assert from 'node:assert/strict';
import { describe, it, after, before, test } from 'node:test';
import { DomainError, type ErrorCode } from '../../../contract/basics/errors.ts';
import { webhookOperations } from '../../../contract/webhooks.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { listDeliveries } from './list-deliveries.ts';
import { registerWebhook } from '../endpoints/register-webhook.ts';
import { replayDelivery } from './replay-delivery.ts';
import { URL_ONE, webhooksWorld } from '../../../test/support/webhooks/webhooks-world.ts';
import { type Receivers, startReceivers } from '../../../test/support/webhooks/receivers.ts';
import { createPostClient, type PostClient } from '../../outbound/public.ts';
import { createDeliverWebhook } from '../delivery/deliver-webhook.ts';

const { db } = await testDatabase();
const world = webhooksWorld(db);
const { subscriber, announce, attempted, retrying, fannedOut, at, deps } = world;

type Subscriber = Awaited<ReturnType<typeof subscriber>>;
const failed = { outcome: 'failed', status: 500, failure: 'status', answer: 'no' };

async function list({ ctx }: Subscriber, query: Record<string, string> = {}) {
  const output = await listDeliveries(ctx, { query: webhookOperations.listDeliveries.query.parse(query) });
  // Parsed by the contract, as the response is.
  webhookOperations.listDeliveries.output.parse(output);
  return output;
}

const replay = async ({ ctx }: Subscriber, id: string) =>
  (await replayDelivery(ctx, { params: { delivery_id: id } })).delivery;

async function refused(work: Promise<unknown>, code: ErrorCode): Promise<string> {
  const error: unknown = await work.then(
    () => assert.fail(`no ${code}`),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof DomainError, String(error));
  assert.equal(error.code, code);
  return error.message;
}

async function retryOf(event: string, { id }: Subscriber) {
  const [row] = await db`
    select retries, lane, priority, due_at as "dueAt", dead_at as "deadAt", delivered_at as "deliveredAt", token
    from webhook_retries where event_id = ${event} and webhook_id = ${id}`;
  return row ? { ...row } : null;
}

describe('the list of deliveries', () => {
  it('shows each state, newest event first, with the attempts', async () => {
    const own = await subscriber();
    const states: Record<string, string> = {};
    for (const state of ['delivered', 'delivered late', 'dead', 'retrying', 'pending slow', 'gone']) {
      world.advance(1000);
      states[state] = await announce();
    }
    const { delivered, dead, retrying: again, gone } = states;
    await attempted(delivered!, own.id);
    await attempted(states['delivered late']!, own.id, failed);
    await attempted(states['delivered late']!, own.id, { number: 2, at: at(50) });
    await retrying(states['delivered late']!, own.id, { delivered_at: at(50) });
    await attempted(dead!, own.id, { ...failed, failure: 'timeout', status: null, answer: null });
    await retrying(dead!, own.id, { retries: 5, dead_at: at() });
    await attempted(again!, own.id, failed);
    await retrying(again!, own.id, { due_at: at(60_000) });
    await retrying(states['pending slow']!, own.id, { lane: 'slow', due_at: at(5) });
    await attempted(gone!, own.id, { ...failed, status: 410 });
    await fannedOut();
    world.advance(1000);
    const coming = await announce();
    const { deliveries, has_more: hasMore } = await list(own);
    assert.equal(hasMore, false);
    assert.deepEqual(
      deliveries.map(({ id, state }) => [id, state]),
      [
        [coming, 'pending'],
        [gone, 'dead'],
        [states['pending slow'], 'pending'],
        [again, 'retrying'],
        [dead, 'dead'],
        [states['delivered late'], 'delivered'],
        [delivered, 'delivered'],
      ],
    );
    const [, , slow, waiting, given] = deliveries;
    assert.deepEqual([slow!.next_attempt_at, slow!.attempts], [at(-995), []]);
    assert.deepEqual(waiting!.next_attempt_at, at(59_000));
    assert.deepEqual(given!.attempts, [
      { at: at(-1000), number: 1, status: null, latency_ms: 12, failure: 'timeout', answer: null },
    ]);
    assert.deepEqual(
      deliveries[5]!.attempts.map(({ number, failure }) => [number, failure]),
      [
        [1, 'status'],
        [2, null],
      ],
    );
  });

  it('omits events of others, events before registration, and events during a disabled time', async () => {
    const early = await subscriber();
    const old = await announce();
    await attempted(old, early.id);
    await fannedOut();
    world.advance(1000);
    const own = await subscriber();
    await db`update webhooks set status = 'disabled', disabled_reason = 'gone' where id = ${own.id}`;
    const missed = await announce();
    await attempted(missed, early.id);
    await fannedOut();
    await db`update webhooks set status = 'active', disabled_reason = null where id = ${own.id}`;
    assert.deepEqual((await list(own)).deliveries, []);
    assert.deepEqual((await list(early)).deliveries.map(({ id }) => id).slice(0, 2), [missed, old]);
  });

  it('pages without gaps or duplicates while events arrive', async () => {
    const own = await subscriber();
    const events: string[] = [];
    for (let count = 0; count < 7; count += 1) {
      events.unshift(await announce());
      await attempted(events[0]!, own.id);
    }
    await fannedOut();
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await list(own, { limit: '3', ...(cursor ? { cursor } : {}) });
      seen.push(...page.deliveries.map(({ id }) => id));
      assert.ok(page.deliveries.length <= 3);
      assert.equal(page.has_more, page.next_cursor !== null);
      cursor = page.next_cursor;
      await attempted(await announce(), own.id);
    } while (cursor);
    assert.deepEqual(seen, events);
    await refused(list(own, { cursor: 'nonsense' }), 'INVALID_PARAMETER');
  });
});

describe('replaying a delivery', () => {
  it('makes a dead delivery due now, with the whole retry schedule ahead', async () => {
    const own = await subscriber('pro');
    const event = await announce();
    await attempted(event, own.id, failed);
    await retrying(event, own.id, { retries: 5, dead_at: at() });
    await fannedOut();
    world.advance(3_600_000);
    const { state, next_attempt_at: next } = await replay(own, event);
    assert.deepEqual([state, next], ['retrying', at()]);
    const due = { retries: -2, lane: 'retry', priority: 1, dueAt: at(), deadAt: null, deliveredAt: null, token: null };
    assert.deepEqual(await retryOf(event, own), due);
  });

  it('sends a delivered event again', async () => {
    const own = await subscriber();
    const [once, late] = [await announce(), await announce()];
    await attempted(once, own.id);
    await attempted(late, own.id, failed);
    await retrying(late, own.id, { delivered_at: at() });
    await fannedOut();
    for (const event of [once, late]) {
      assert.equal((await replay(own, event)).state, 'retrying');
      assert.deepEqual((await retryOf(event, own))!['dueAt'], at());
      // A second replay does the same.
      assert.equal((await replay(own, event)).state, 'retrying');
    }
  });

  it('refuses unknown events, events of other agents, and events never sent here alike', async () => {
    const [own, other] = [await subscriber(), await subscriber()];
    await fannedOut();
    const [foreign, ended] = [await announce(), await announce()];
    await fannedOut();
    await attempted(foreign, other.id);
    const messages = await Promise.all(
      [foreign, ended, deps.newId()].map((id) => refused(replay(own, id), 'NOT_FOUND')),
    );
    assert.equal(new Set(messages).size, 1);
    assert.equal(await retryOf(foreign, own), null);
    assert.equal(await retryOf(foreign, other), null);
    const nobody = await world.agent();
    await refused(replayDelivery(nobody, { params: { delivery_id: foreign } }), 'NOT_FOUND');
  });

  it('requires a webhook that is not disabled', async () => {
    const own = await subscriber();
    const event = await announce();
    await attempted(event, own.id, failed);
    await fannedOut();
    await db`update webhooks set status = 'disabled', disabled_reason = 'gone' where id = ${own.id}`;
    await refused(replay(own, event), 'WEBHOOK_DISABLED');
    await registerWebhook(own.ctx, { body: { webhook_url: URL_ONE } });
    assert.equal((await replay(own, event)).state, 'retrying');
  });
});

describe('a delivery', async () => {
  let receivers: Receivers;
  let client: PostClient;

  before(async () => {
    receivers = await startReceivers({ flaws: ['none'] });
    client = createPostClient({ development: true, clock: { now: () => new Date() }, ca: receivers.ca });
  });
  after(async () => {
    client.close();
    await receivers.stop();
  });

  const deliver = (path: string, deadlineMs = 5_000) =>
    createDeliverWebhook(client)({ url: receivers.url(path), headers: {}, body: Buffer.from('{}'), deadlineMs });

  test('succeeds with any 2xx status and a content type of the specification, or without any content', async () => {
    const accepted = ['/ok', '/json', '/interim', '/status?code=299', '/close', '/cookie', '/body?bytes=65536'];
    for (const path of accepted) {
      const { ok, failure } = await deliver(path);
      assert.deepEqual([ok, failure], [true, null], path);
    }
    for (const path of ['/html', '/no-type', '/two-types']) {
      const { ok, failure } = await deliver(path);
      assert.deepEqual([ok, failure], [false, 'content_type'], path);
    }
    const empty = await deliver('/no-content');
    assert.deepEqual([empty.status, empty.ok, empty.failure], [204, true, null]);
    const bare = await deliver('/empty');
    assert.deepEqual([bare.status, bare.ok, bare.failure], [200, true, null]);
  });

  test('fails with another status, and reports the status and the response text', async () => {
    for (const code of [400, 404, 410, 429, 500, 503]) {
      const { ok, failure, status, answer } = await deliver(`/status?code=${code}`);
      assert.deepEqual({ ok, failure, status, answer }, { ok: false, failure: 'status', status: code, answer: 'no' });
    }
    for (const code of [301, 302, 303, 307, 308, 300, 304]) {
      const { ok, failure, status } = await deliver(`/redirect?code=${code}&to=/ok`);
      assert.deepEqual({ ok, failure, status }, { ok: false, failure: 'redirect', status: code });
    }
  });

  test('reports the status of a response whose body does not end', async () => {
    const slow = await deliver('/drip-failure', 400);
    assert.deepEqual([slow.status, slow.failure], [503, 'status']);
    const large = await deliver('/body?bytes=1000000&code=500');
    assert.deepEqual([large.failure, large.status, large.answer?.length], ['status', 500, 512]);
  });

  test('reports why there is no response', async () => {
    const { ok, failure, status } = await deliver('/never', 300);
    assert.deepEqual({ ok, failure, status }, { ok: false, failure: 'timeout', status: null });
    assert.equal((await deliver('/reset')).failure, 'connection');
  });
});
