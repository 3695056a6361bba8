import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { testDatabase } from '../support/test-database.ts';
import { queueRows } from '../../server/webhooks/queue-events.ts';
import { until } from '../support/processes/processes.ts';
import { GONE, OK, REFUSED, type RetryRow, senderWorld, TIMED_OUT } from '../support/webhooks/sender-world.ts';

// The sender over a real database. The test sets the clock and answers each delivery.

const { db } = await testDatabase();
const world = senderWorld(db);
const { sent, answer } = world;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const STEPS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 8 * HOUR_MS];

beforeEach(async () => await world.clear());
afterEach(() => assert.deepEqual(world.errors, []));

async function onlyRetry(): Promise<RetryRow> {
  const [row, ...others] = await world.retries();
  assert.ok(row && others.length === 0, `${others.length + 1} rows`);
  return row;
}

describe('a fan-out', () => {
  it('reaches elite agents at once, and pro agents before starters after early access', async () => {
    const starters = await world.subscribe(40);
    const pro = await world.subscribe(5, { tier: 'pro' });
    const elite = await world.subscribe(5, { tier: 'elite' });
    await world.announce({ earlyAccessMs: MINUTE_MS });
    const one = world.sender();
    await world.settle(one);
    assert.deepEqual(sent.map(({ url }) => url).toSorted(), elite.map(({ url }) => url).toSorted());
    world.advance(MINUTE_MS - 1);
    await world.settle(one);
    assert.equal(sent.length, 5);
    world.advance(1);
    await world.settle(one);
    const order = sent.map(({ url }) => url);
    assert.deepEqual(order.slice(5, 10).toSorted(), pro.map(({ url }) => url).toSorted());
    assert.equal(order.length, 50);
    assert.equal(new Set(order.slice(10)).size, starters.length);
  });

  it('is shared by senders, with one delivery for each subscription', async () => {
    await world.subscribe(800);
    await world.announce();
    const senders = [world.sender(), world.sender(), world.sender()];
    await Promise.all(senders.map((one) => world.settle(one)));
    await world.settle(world.sender());
    assert.equal(sent.length, 800);
    assert.equal(new Set(sent.map(({ url }) => url)).size, 800);
  });
});

it('a sender counts from its start, so that an alert can tell that none runs', () => {
  assert.deepEqual([...world.sender().attempts], [['delivered', 0]]);
});

describe('a sender that stops', () => {
  it('gives back what it has claimed and not sent', async () => {
    await world.subscribe(4);
    await world.announce();
    const { promise: answered, resolve: end } = Promise.withResolvers<typeof OK>();
    answer.of = () => answered;
    const one = world.sender({ pool: 2 });
    one.start();
    await until('two requests', async () => sent.length === 2);
    assert.equal((await world.retries()).filter(({ token }) => token !== null).length, 3);
    const stopped = one.stop();
    end(OK);
    await stopped;
    assert.equal(sent.length, 2);
    const left = (await world.retries()).filter(({ deliveredAt }) => deliveredAt === null);
    assert.deepEqual(
      left.map(({ token, dueAt }) => [token, dueAt?.getTime()]),
      left.map(() => [null, world.at().getTime()]),
    );
    assert.equal(left.length, 2);
  });
});

describe('retries', () => {
  it('come after exactly 0, 1, 5, 30, 120, and 480 minutes, each from a newly started sender', async () => {
    const { id, url } = await world.subscriber();
    const eventId = await world.announce();
    answer.of = () => REFUSED;
    await world.settle(world.sender());
    assert.equal(sent.length, 2, 'the immediate retry belongs to the first attempt');
    for (const [index, stepMs] of STEPS_MS.entries()) {
      const { dueAt, retries } = await onlyRetry();
      assert.equal(retries, index);
      assert.equal(dueAt?.getTime(), world.at(stepMs).getTime());
      world.advance(stepMs - 1_000);
      await world.settle(world.sender());
      assert.equal(sent.length, 2 + index, `a second before ${stepMs / MINUTE_MS} min`);
      world.advance(1_000);
      await world.settle(world.sender());
      assert.equal(sent.length, 3 + index, `at ${stepMs / MINUTE_MS} min`);
    }
    const row = await onlyRetry();
    assert.deepEqual([row.retries, row.dueAt, row.deadAt, row.deliveredAt], [5, null, world.at(), null]);
    assert.ok(sent.every((delivery) => delivery.id === eventId && delivery.url === url));
    assert.equal(new Set(sent.map(({ headers }) => headers['webhook-timestamp'])).size, 6);
    assert.deepEqual(
      (await world.attempts()).map(({ number }) => number),
      [1, 2, 3, 4, 5, 6, 7],
    );
    assert.equal((await world.webhook(id)).status, 'active');
    world.advance(48 * HOUR_MS);
    await world.settle(world.sender());
    assert.equal(sent.length, 7, 'nothing follows the last one');
  });

  it('end with a success, which also marks the endpoint as recovered', async () => {
    const { id } = await world.subscriber();
    await world.announce();
    answer.of = () => REFUSED;
    await world.settle(world.sender());
    assert.equal((await world.webhook(id)).failingSince?.getTime(), world.at().getTime());
    answer.of = () => OK;
    world.advance(MINUTE_MS);
    await world.settle(world.sender());
    const row = await onlyRetry();
    assert.deepEqual([row.dueAt, row.deadAt, row.deliveredAt?.getTime()], [null, null, world.at().getTime()]);
    assert.equal((await world.webhook(id)).failingSince, null);
  });

  it('use the current URL and secret, and are not sent to a deleted webhook', async () => {
    const [replaced, deleted] = await world.subscribe(2);
    await world.announce();
    answer.of = () => REFUSED;
    await world.settle(world.sender());
    await db`update webhook_endpoints set url = 'https://new.example/' where id = ${replaced!.id}`;
    await db`delete from webhook_endpoints where id = ${deleted!.id}`;
    sent.length = 0;
    world.advance(MINUTE_MS);
    await world.settle(world.sender());
    assert.deepEqual(
      sent.map(({ url }) => url),
      ['https://new.example/'],
    );
  });

  it('are not written by a sender whose lease expired', async () => {
    await world.subscriber();
    await world.announce();
    answer.of = () => REFUSED;
    await world.settle(world.sender());
    world.advance(MINUTE_MS);
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    let reached: () => void = () => {};
    const arrived = new Promise<void>((resolve) => (reached = resolve));
    answer.of = async () => {
      reached();
      await held;
      return REFUSED;
    };
    const overtaken = world.sender().runOnce();
    await arrived;
    // The lease expires, another sender delivers, and then the first one gets its response.
    world.advance(31_000);
    answer.of = () => OK;
    await world.settle(world.sender());
    const delivered = await onlyRetry();
    assert.equal(delivered.deliveredAt?.getTime(), world.at().getTime());
    release();
    await overtaken;
    assert.deepEqual(await onlyRetry(), delivered);
  });
});

describe('endpoints', () => {
  it('get the event that was being queued at their first success', async () => {
    await world.subscribe(1, { verified: false });
    await world.announce();
    const second = await world.log();
    const first = await db.begin(async (tx) => {
      await queueRows(tx, [second], world.at());
      const sending = world.sender().runOnce();
      // It waits for this transaction with what it writes.
      await Promise.race([
        sending,
        until('a lock', async () => (await db`select from pg_locks where not granted`).length > 0),
      ]);
      return { sending };
    });
    await first.sending;
    await world.settle(world.sender());
    assert.deepEqual(sent.map(({ id }) => id).slice(1), [second.id]);
  });

  it('that respond with 410 are disabled at once, and their waiting deliveries end', async () => {
    const { id } = await world.subscriber();
    await world.announce();
    answer.of = () => REFUSED;
    await world.settle(world.sender());
    const second = await world.announce();
    answer.of = () => GONE;
    await world.settle(world.sender());
    assert.deepEqual(
      sent.filter((delivery) => delivery.id === second).map(({ url }) => url.length > 0),
      [true],
      'no retry, not even the immediate one',
    );
    const { status, disabledReason } = await world.webhook(id);
    assert.equal(`${status}: ${disabledReason}`, 'disabled: it answered 410 Gone');
    for (const row of await world.retries()) assert.deepEqual([row.dueAt, row.deadAt === null], [null, false]);
    await world.announce();
    sent.length = 0;
    world.advance(HOUR_MS);
    await world.settle(world.sender());
    assert.deepEqual(sent, []);
  });

  it('are disabled when the service gives an event up after 120 hours of failures', async () => {
    const { id } = await world.subscriber();
    answer.of = () => REFUSED;
    await world.announce();
    await world.settle(world.sender());
    world.advance(120 * HOUR_MS);
    await world.announce();
    for (const minutes of [0, 1, 5, 30, 120, 480]) {
      world.advance(minutes * MINUTE_MS);
      assert.equal((await world.webhook(id)).status, 'active');
      await world.settle(world.sender());
    }
    const { status, disabledReason } = await world.webhook(id);
    assert.equal(`${status}: ${disabledReason}`, 'disabled: nothing was delivered for 120 hours');
    assert.ok((await world.retries()).every(({ dueAt, deadAt }) => dueAt === null && deadAt !== null));
  });
});

it('stores a response text with any characters', async () => {
  const answers = ['', 'null', 'ok', '{"a":[1,"b\\n"]}', "it's {a,b}", ' \\" ', 'a\nb\t,', 'é 𝔘', '\u{fffd}'];
  const subscribers = await world.subscribe(answers.length, { host: (n) => `h${n}.example` });
  world.answer.of = (url) => ({ ...OK, answer: answers[subscribers.findIndex((one) => one.url === url)] ?? null });
  await world.announce();
  await world.settle(world.sender());
  const rows = await db<{ id: string; answer: string }[]>`
    select endpoint_id as id, attempts -> 0 ->> 'answer' as answer from webhook_deliveries`;
  const kept = subscribers.map(({ id }) => rows.find((row) => row.id === id)?.answer);
  assert.deepEqual(kept, answers);
});

describe('a silent endpoint', () => {
  it('delays no other endpoint', async () => {
    const all = await world.subscribe(100);
    const tarpits = new Set(all.filter((_, index) => index % 10 === 0).map(({ url }) => url));
    const held: ((outcome: typeof TIMED_OUT) => void)[] = [];
    answer.of = async (url) =>
      tarpits.has(url) ? await new Promise<typeof TIMED_OUT>((resolve) => held.push(resolve)) : OK;
    await world.announce();
    const sender = world.sender();
    sender.start();
    const delivered = async () => (await world.attempts()).filter(({ outcome }) => outcome === 'delivered').length;
    await until('all others', async () => (await delivered()) === 90);
    answer.of = () => OK;
    for (const resolve of held) resolve(TIMED_OUT);
    await until('everybody', async () => (await delivered()) === 100);
    await sender.stop();
  });
});
