import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { until } from '../support/processes/processes.ts';
import { testDatabase } from '../support/test-database.ts';
import { REFUSED, type Subscriber, senderWorld } from '../support/webhooks/sender-world.ts';

// The bounds of requests to endpoints that have never accepted one: over all processes, and after a step of the clock.

const { db } = await testDatabase();
const world = senderWorld(db);
const { sent, answer } = world;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

beforeEach(async () => await world.clear());
afterEach(() => assert.deepEqual(world.errors, []));

/** Lets the sender work at each of these minutes from now on. */
async function pass(sender: ReturnType<typeof world.sender>, minutes: number[]): Promise<void> {
  let last = 0;
  for (const minute of minutes) {
    world.advance((minute - last) * MINUTE_MS);
    last = minute;
    await world.settle(sender);
  }
}

/** Records requests to one endpoint, or to others at three hosts, which do not end. */
async function underWay(count: number, endpoint?: Subscriber): Promise<void> {
  const others = endpoint ? [] : await world.subscribe(count, { verified: false, host: (n) => `h${n % 3}.example` });
  for (let index = 0; index < count; index += 1)
    assert.equal(await world.trialRequest(endpoint ?? others[index]!).take('203.0.113.0/24'), true);
}

describe('a host with endpoints that never succeeded', () => {
  it('gets 8 requests at a time from two senders', async () => {
    await world.subscribe(20, { verified: false, host: () => 'victim.example' });
    let inFlight = 0;
    const { promise: answered, resolve: answerAll } = Promise.withResolvers<void>();
    answer.of = async () => {
      inFlight += 1;
      await answered;
      return REFUSED;
    };
    await world.announce();
    // Their lanes have room for 10 retries each, and each of them has 8 slots for this network.
    const senders = [world.sender({ pool: 40 }), world.sender({ pool: 40 })];
    // The fan-out, and the start of the events.
    for (let round = 0; round < 2; round += 1) await senders[0]!.runOnce();
    const work = Promise.all(senders.map(async (sender) => await sender.runOnce()));
    await until('every delivery is in flight or has had no turn', async () => {
      const rows = await world.retries();
      const hadNoTurn = rows.filter(({ dueAt }) => dueAt !== null && dueAt > world.at());
      return hadNoTurn.length + inFlight >= 20;
    });
    assert.equal(inFlight, 8);
    answerAll();
    await work;
    // Those that had no turn come back.
    for (let round = 0; round < 6; round += 1) {
      world.advance(1_000);
      for (const sender of senders) await world.settle(sender);
    }
    assert.equal(new Set(sent.map(({ url }) => url)).size, 20);
  });

  it('gets 8 requests at a time at all its names in one network', async () => {
    await underWay(8);
    const [one] = await world.subscribe(1, { verified: false, host: () => 'h9.example' });
    assert.equal(await world.trialRequest(one!).take('203.0.113.0/24'), false);
    assert.equal(await world.trialRequest(one!).take('198.51.100.0/24'), true);
  });

  it('gets requests again after a process was killed with 8 under way', async () => {
    const [one] = await world.subscribe(1, { verified: false, host: () => 'h0.example' });
    await underWay(8);
    assert.equal(await world.trialRequest(one!).take('203.0.113.0/24'), false);
    world.advance(30_000);
    assert.equal(await world.trialRequest(one!).take('203.0.113.0/24'), true);
  });
});

describe('a clock that is set back', () => {
  const STEP_MS = 5 * HOUR_MS;

  it('does not stop an endpoint that waits for its next event', async () => {
    await world.subscriber({ verified: false });
    answer.of = () => REFUSED;
    const first = await world.project();
    await world.announce({ projectId: first });
    const sender = world.sender();
    await world.settle(sender);
    await world.endProject(first);
    await world.announce();
    await pass(sender, [1]);
    assert.equal(sent.length, 2);
    world.advance(-STEP_MS);
    await world.settle(sender);
    assert.equal(sent.length, 2, 'the step gives no request away');
    await pass(sender, [61]);
    assert.equal(sent.length, 4);
  });

  it('does not stop an event that is under way', async () => {
    await world.subscriber({ verified: false });
    answer.of = () => REFUSED;
    await world.announce();
    const sender = world.sender();
    await pass(sender, [0, 1, 6]);
    assert.equal(sent.length, 4);
    world.advance(-STEP_MS);
    await world.settle(sender);
    // The next retry is due half an hour after the last one.
    await pass(sender, [29, 31, 62]);
    assert.equal(sent.length, 5);
  });

  it('does not stop the requests to a host that had all of its hour', async () => {
    const [one] = await world.subscribe(1, { verified: false, host: () => 'h0.example' });
    await underWay(5, one);
    world.advance(-STEP_MS);
    assert.equal(await world.trialRequest(one!).take(null), false);
    world.advance(HOUR_MS + 1);
    assert.equal(await world.trialRequest(one!).take(null), true);
  });
});
