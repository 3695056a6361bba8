import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { testDatabase } from '../support/test-database.ts';
import type { DeliveryOutcome } from '../../server/ports/webhooks.ts';
import { until } from '../support/processes/processes.ts';
import { OK, REFUSED, type Sent, senderWorld, TIMED_OUT } from '../support/webhooks/sender-world.ts';

// No delivery waits for a silent endpoint, for a full network, or for another lane.

const { db } = await testDatabase();
const world = senderWorld(db);
const { sent, answer } = world;

const MINUTE_MS = 60_000;

beforeEach(async () => await world.clear());
afterEach(() => assert.deepEqual(world.errors, []));

/** Holds deliveries to these endpoints until the test releases them, and counts the deliveries in flight. */
function holding(isHeld: (url: string) => boolean) {
  const waiting = new Set<(outcome: DeliveryOutcome) => void>();
  const most = { atOnce: 0 };
  answer.of = async (url) => {
    if (!isHeld(url)) return OK;
    return await new Promise<DeliveryOutcome>((resolve) => {
      waiting.add(resolve);
      most.atOnce = Math.max(most.atOnce, waiting.size);
    });
  };
  return {
    waiting,
    most,
    release(outcome: DeliveryOutcome) {
      for (const resolve of waiting) resolve(outcome);
      waiting.clear();
    },
  };
}

async function delivered(count: number): Promise<true | null> {
  const [{ reached }] = await db<[{ reached: number }]>`
    select count(*)::int as reached from webhook_attempts where outcome = 'delivered'`;
  return reached >= count ? true : null;
}

const urls = (all: { url: string }[]) => all.map(({ url }) => url).toSorted();

describe('silent endpoints', () => {
  for (const [every, tarpits] of [
    [1_000, 1],
    [2, 500],
  ] as const) {
    it(`delay no other endpoint: ${tarpits} of 1,000`, async () => {
      const all = await world.subscribe(1_000);
      const held = new Set(all.filter((_, index) => index % every === 0).map(({ url }) => url));
      const { waiting, release } = holding((url) => held.has(url));
      await world.announce();
      const sender = world.sender();
      sender.start();
      // The endpoints stay silent. The fan-out reaches every other endpoint and completes every part.
      await until('all others', () => delivered(1_000 - tarpits));
      await until('the parts', async () => (await world.openParts()) === 0);
      assert.equal(waiting.size, tarpits);
      const leased = await world.retries();
      assert.equal(leased.filter(({ token }) => token !== null).length, tarpits);
      release(TIMED_OUT);
      // The slow lane sends the immediate retries.
      await until('the slow lane', async () => waiting.size === Math.min(tarpits, 128));
      answer.of = () => OK;
      release(OK);
      await until('everybody', () => delivered(1_000));
      await sender.stop();
      assert.ok((await world.retries()).every(({ deliveredAt, token }) => deliveredAt !== null && token === null));
      assert.equal((await world.attempts()).length, 1_000 + tarpits);
    });
  }

  it('use only the slow lane once they are known to be slow', async () => {
    const all = await world.subscribe(300);
    const slow = new Set(all.slice(0, 100).map(({ url }) => url));
    await db`update webhooks set slow = true where url = any(${[...slow]})`;
    const { most, release } = holding((url) => slow.has(url));
    await world.announce();
    const sender = world.sender({ pool: 64 });
    sender.start();
    await until('the quick ones', () => delivered(200));
    await until('the lane to be full', async () => most.atOnce === 16);
    assert.equal(most.atOnce, 16, 'a quarter of the pool');
    answer.of = () => OK;
    release(OK);
    await until('the slow ones', () => delivered(300));
    await sender.stop();
  });
});

describe('limits', () => {
  it('retries use at most a quarter of the pool', async () => {
    await world.subscribe(120);
    answer.of = () => REFUSED;
    await world.announce();
    await world.settle(world.sender());
    world.advance(MINUTE_MS);
    const { most, release } = holding(() => true);
    const sender = world.sender({ pool: 64 });
    sender.start();
    await until('the lane to be full', async () => most.atOnce === 16);
    answer.of = () => OK;
    release(OK);
    await until('all', () => delivered(120));
    await sender.stop();
    assert.equal(most.atOnce, 16);
  });

  it('an endpoint gets one delivery at a time from all events and senders', async () => {
    await world.subscribe(30);
    const now = new Map<string, number>();
    let most = 0;
    answer.of = async (url) => {
      const atOnce = (now.get(url) ?? 0) + 1;
      now.set(url, atOnce);
      most = Math.max(most, atOnce);
      await new Promise((resolve) => setImmediate(resolve));
      now.set(url, atOnce - 1);
      return OK;
    };
    for (let event = 0; event < 5; event += 1) await world.announce();
    const senders = [world.sender(), world.sender()];
    for (const sender of senders) sender.start();
    await until('all', () => delivered(150));
    await Promise.all(senders.map((sender) => sender.stop()));
    assert.equal(most, 1);
    assert.equal(sent.length, 150);
  });

  it('a network gets 8 deliveries at a time and delays no other', async () => {
    const crowd = await world.subscribe(200, { host: () => 'many.example' });
    const others = await world.subscribe(200);
    const { waiting, most, release } = holding((url) => url.includes('many.example'));
    await world.announce();
    const sender = world.sender();
    sender.start();
    await until('all others', () => delivered(others.length));
    await until('the parts', async () => (await world.openParts()) === 0);
    assert.equal(waiting.size, 8);
    // The deliveries to the network proceed 8 at a time.
    await until('the crowd', async () => {
      release(OK);
      return await delivered(crowd.length + others.length);
    });
    await sender.stop();
    assert.equal(most.atOnce, 8);
    assert.deepEqual(urls(sent), urls([...crowd, ...others]));
  });

  it('an immediate retry to a full network moves to the retry lane, and its first attempt is recorded', async () => {
    // Eight deliveries to one network fail and queue again behind twelve that never end.
    const all = await world.subscribe(20, { host: () => 'many.example', tier: 'elite' });
    // The fan-out walks the webhooks in the order of their ids.
    const crowd = all.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const failing = new Set(crowd.slice(0, 8).map(({ url }) => url));
    const { waiting, release } = holding((url) => !failing.has(url));
    const held = answer.of;
    answer.of = (url, delivery) => (failing.has(url) ? REFUSED : held(url, delivery));
    await world.announce();
    const sender = world.sender();
    sender.start();
    await until('the network to be full', async () => waiting.size === 8);
    await until('the part', async () => (await world.openParts()) === 0);
    const first = (await world.attempts()).filter(({ outcome }) => outcome === 'failed');
    assert.equal(first.length, 8);
    assert.ok(first.every(({ number }) => number === 1));
    answer.of = () => OK;
    await until('everybody', async () => {
      release(OK);
      return await delivered(20);
    });
    await sender.stop();
    const second = (await world.attempts()).filter(({ number }) => number === 2);
    assert.deepEqual(
      second.map(({ webhookId }) => webhookId).toSorted(),
      crowd
        .slice(0, 8)
        .map(({ id }) => id)
        .toSorted(),
    );
  });

  it('elite agents get events during a fan-out to starters', async () => {
    await world.subscribe(3_000);
    const elite = await world.subscribe(20, { tier: 'elite' });
    const order: Sent[] = [];
    const second: Promise<string>[] = [];
    answer.of = async (_url, delivery) => {
      order.push(delivery);
      if (order.length === 200) second.push(world.announce({ earlyAccessMs: MINUTE_MS }));
      await new Promise((resolve) => setTimeout(resolve, 20));
      return OK;
    };
    await world.announce();
    const sender = world.sender({ pool: 64 });
    sender.start();
    await until('all', () => delivered(3_040));
    await sender.stop();
    const [secondId] = await Promise.all(second);
    const last = order.findLastIndex(({ id }) => id === secondId);
    assert.equal(order.filter(({ id }) => id === secondId).length, elite.length);
    assert.ok(last < 2_500, `the last elite agent was number ${last} of ${order.length}`);
  });
});

describe('a stop', () => {
  it('writes every outcome and leaves the rest to the next start', async () => {
    await world.subscribe(600);
    answer.of = async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return OK;
    };
    await world.announce();
    const first = world.sender({ pool: 16 });
    first.start();
    await until('some', async () => (sent.length > 100 ? true : null));
    await first.stop();
    const before = sent.length;
    assert.ok(before < 600);
    assert.equal((await world.attempts()).length, before);
    await world.settle(world.sender());
    assert.equal(sent.length, 600);
    assert.equal(new Set(sent.map(({ url }) => url)).size, 600);
  });
});
