import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { testDatabase } from '../support/test-database.ts';
import { GONE, OK, REFUSED, type RetryRow, senderGround, TIMED_OUT } from '../support/webhooks/sender-world.ts';

// The sender over a real database; each delivery is answered by the test, and time is what the test says.

const { db } = await testDatabase();
const ground = senderGround(db);
const { sent, answer } = ground;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const STEPS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 8 * HOUR_MS];

beforeEach(async () => await ground.clear());
afterEach(() => assert.deepEqual(ground.errors, []));

async function onlyRetry(): Promise<RetryRow> {
  const [row, ...others] = await ground.retries();
  assert.ok(row && others.length === 0, `${others.length + 1} rows`);
  return row;
}

describe('a fan-out', () => {
  it('reaches every subscription once, and writes nothing for one beyond its attempt', async () => {
    const all = await ground.subscribe(1_300);
    const eventId = await ground.announce();
    await ground.settle(ground.sender());
    assert.deepEqual(sent.map(({ url }) => url).toSorted(), all.map(({ url }) => url).toSorted());
    assert.ok(sent.every(({ id }) => id === eventId));
    assert.equal((await ground.attempts()).length, 1_300);
    assert.deepEqual(await ground.retries(), []);
    assert.equal(await ground.openParts(), 0);
    const [{ reached }] = await db<[{ reached: number }]>`select sum(attempted)::int as reached from webhook_fan_outs`;
    assert.equal(reached, 1_300);
  });

  it('tells elite agents at once and the others when their early access ends, pro agents first', async () => {
    const starters = await ground.subscribe(40);
    const pro = await ground.subscribe(5, { tier: 'pro' });
    const elite = await ground.subscribe(5, { tier: 'elite' });
    await ground.announce({ earlyAccessMs: MINUTE_MS });
    const one = ground.sender();
    await ground.settle(one);
    assert.deepEqual(sent.map(({ url }) => url).toSorted(), elite.map(({ url }) => url).toSorted());
    ground.advance(MINUTE_MS - 1);
    await ground.settle(one);
    assert.equal(sent.length, 5);
    ground.advance(1);
    await ground.settle(one);
    const order = sent.map(({ url }) => url);
    assert.deepEqual(order.slice(5, 10).toSorted(), pro.map(({ url }) => url).toSorted());
    assert.equal(order.length, 50);
    assert.equal(new Set(order.slice(10)).size, starters.length);
  });

  it('is shared by senders, each subscription by one', async () => {
    await ground.subscribe(800);
    await ground.announce();
    const senders = [ground.sender(), ground.sender(), ground.sender()];
    await Promise.all(senders.map((one) => ground.settle(one)));
    await ground.settle(ground.sender());
    assert.equal(sent.length, 800);
    assert.equal(new Set(sent.map(({ url }) => url)).size, 800);
  });

  it('signs for each with its own secret', async () => {
    const [one, other] = await ground.subscribe(2);
    await ground.announce();
    await ground.settle(ground.sender());
    const { Webhook } = await import('standardwebhooks');
    for (const { url, secret } of [one!, other!]) {
      const delivery = sent.find((each) => each.url === url)!;
      new Webhook(secret.toString('base64')).verify(Buffer.from(delivery.body).toString(), delivery.headers);
    }
  });

  it('is given up by a sender whose lease somebody else took, and nothing is lost', async () => {
    const all = await ground.subscribe(60, { tier: 'pro' });
    await ground.announce();
    // While the first delivery is under way, the part becomes somebody else's.
    let taken: Promise<unknown> | null = null;
    answer.of = async () => {
      taken ??= db`update webhook_fan_outs set token = ${all[0]!.id}, lease_until = ${ground.at(30_000)} where shard = 1`;
      await taken;
      return OK;
    };
    const overtaken = ground.sender();
    await overtaken.runOnce();
    assert.deepEqual(ground.errors, [], 'nothing is wrong with that');
    assert.deepEqual(await ground.attempts(), []);
    ground.advance(30_000);
    await ground.settle(ground.sender());
    assert.equal((await ground.attempts()).length, 60);
    assert.equal(await ground.openParts(), 0);
  });
});

describe('retries', () => {
  it('come after 0, 1, 5, 30, 120 and 480 minutes, to the second, each by a sender that was just started', async () => {
    const { id, url } = await ground.subscriber();
    const eventId = await ground.announce();
    answer.of = () => REFUSED;
    await ground.settle(ground.sender());
    assert.equal(sent.length, 2, 'the immediate retry belongs to the first attempt');
    for (const [index, stepMs] of STEPS_MS.entries()) {
      const { dueAt, retries } = await onlyRetry();
      assert.equal(retries, index);
      assert.equal(dueAt?.getTime(), ground.at(stepMs).getTime());
      ground.advance(stepMs - 1_000);
      await ground.settle(ground.sender());
      assert.equal(sent.length, 2 + index, `a second before ${stepMs / MINUTE_MS} min`);
      ground.advance(1_000);
      await ground.settle(ground.sender());
      assert.equal(sent.length, 3 + index, `at ${stepMs / MINUTE_MS} min`);
    }
    const row = await onlyRetry();
    assert.deepEqual([row.retries, row.dueAt, row.deadAt, row.deliveredAt], [5, null, ground.at(), null]);
    assert.ok(sent.every((delivery) => delivery.id === eventId && delivery.url === url));
    assert.deepEqual(
      (await ground.attempts()).map(({ number }) => number),
      [1, 2, 3, 4, 5, 6, 7],
    );
    assert.equal((await ground.webhook(id)).status, 'active');
    ground.advance(48 * HOUR_MS);
    await ground.settle(ground.sender());
    assert.equal(sent.length, 7, 'nothing follows the last one');
  });

  it('end with a success, which ends the failing of the endpoint, too', async () => {
    const { id } = await ground.subscriber();
    await ground.announce();
    answer.of = () => REFUSED;
    await ground.settle(ground.sender());
    assert.equal((await ground.webhook(id)).failingSince?.getTime(), ground.at().getTime());
    answer.of = () => OK;
    ground.advance(MINUTE_MS);
    await ground.settle(ground.sender());
    const row = await onlyRetry();
    assert.deepEqual([row.dueAt, row.deadAt, row.deliveredAt?.getTime()], [null, null, ground.at().getTime()]);
    assert.equal((await ground.webhook(id)).failingSince, null);
  });

  it('that succeed at once leave nothing waiting', async () => {
    await ground.subscriber();
    await ground.announce();
    answer.of = () => (sent.length === 1 ? REFUSED : OK);
    await ground.settle(ground.sender());
    assert.deepEqual(
      (await ground.attempts()).map(({ number, outcome }) => `${number} ${outcome}`),
      ['1 failed', '2 delivered'],
    );
    assert.deepEqual(await ground.retries(), []);
  });

  it('go to the URL and are signed by the secret of their moment; of a deleted webhook nothing is sent', async () => {
    const [replaced, deleted] = await ground.subscribe(2);
    await ground.announce();
    answer.of = () => REFUSED;
    await ground.settle(ground.sender());
    await db`update webhooks set url = 'https://new.example/' where id = ${replaced!.id}`;
    await db`delete from webhooks where id = ${deleted!.id}`;
    sent.length = 0;
    ground.advance(MINUTE_MS);
    await ground.settle(ground.sender());
    assert.deepEqual(
      sent.map(({ url }) => url),
      ['https://new.example/'],
    );
    const row = (await ground.retries()).find(({ webhookId }) => webhookId === deleted!.id);
    assert.deepEqual([row?.dueAt, row?.deadAt?.getTime()], [null, ground.at().getTime()]);
  });

  it('are not written by who was overtaken', async () => {
    await ground.subscriber();
    await ground.announce();
    answer.of = () => REFUSED;
    await ground.settle(ground.sender());
    ground.advance(MINUTE_MS);
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    let reached: () => void = () => {};
    const arrived = new Promise<void>((resolve) => (reached = resolve));
    answer.of = async () => {
      reached();
      await held;
      return REFUSED;
    };
    const overtaken = ground.sender().runOnce();
    await arrived;
    // Its lease is over, another one delivers, and then the answer of the first one comes.
    ground.advance(31_000);
    answer.of = () => OK;
    await ground.settle(ground.sender());
    const delivered = await onlyRetry();
    assert.equal(delivered.deliveredAt?.getTime(), ground.at().getTime());
    release();
    await overtaken;
    assert.deepEqual(await onlyRetry(), delivered);
  });
});

describe('endpoints', () => {
  it('that answer 410 are disabled at once, with everything that waits for them', async () => {
    const { id } = await ground.subscriber();
    await ground.announce();
    answer.of = () => REFUSED;
    await ground.settle(ground.sender());
    const second = await ground.announce();
    answer.of = () => GONE;
    await ground.settle(ground.sender());
    assert.deepEqual(
      sent.filter((delivery) => delivery.id === second).map(({ url }) => url.length > 0),
      [true],
      'no retry, not even the immediate one',
    );
    const { status, disabledReason } = await ground.webhook(id);
    assert.equal(`${status}: ${disabledReason}`, 'disabled: it answered 410 Gone');
    for (const row of await ground.retries()) assert.deepEqual([row.dueAt, row.deadAt === null], [null, false]);
    await ground.announce();
    sent.length = 0;
    ground.advance(HOUR_MS);
    await ground.settle(ground.sender());
    assert.deepEqual(sent, []);
  });

  it('are disabled after 120 hours of nothing but failures, and not a second before', async () => {
    const { id } = await ground.subscriber();
    answer.of = () => REFUSED;
    await ground.announce();
    await ground.settle(ground.sender());
    ground.advance(120 * HOUR_MS - 1_000);
    await ground.announce();
    await ground.settle(ground.sender());
    assert.equal((await ground.webhook(id)).status, 'active');
    ground.advance(1_000);
    await ground.announce();
    await ground.settle(ground.sender());
    const { status, disabledReason } = await ground.webhook(id);
    assert.equal(`${status}: ${disabledReason}`, 'disabled: nothing was delivered for 120 hours');
    assert.ok((await ground.retries()).every(({ dueAt, deadAt }) => dueAt === null && deadAt !== null));
  });

  it('are written to only when something changes', async () => {
    await ground.subscribe(50);
    await ground.announce();
    await ground.settle(ground.sender());
    const [{ changed }] = await db<[{ changed: number }]>`
      select count(*)::int as changed from webhooks where xmax::text <> '0' or xmin::text <> (select min(xmin::text) from webhooks)`;
    assert.equal(changed, 0);
  });

  it('that time out have the slow lane, from the immediate retry on, and leave it when they are quick again', async () => {
    const { id } = await ground.subscriber();
    await ground.announce();
    answer.of = () => TIMED_OUT;
    await ground.settle(ground.sender());
    assert.equal(sent.length, 2);
    assert.deepEqual([(await ground.webhook(id)).slow, (await onlyRetry()).lane], [true, 'slow']);
    assert.equal((await onlyRetry()).dueAt?.getTime(), ground.at(MINUTE_MS).getTime());
    answer.of = () => OK;
    for (let event = 0; event < 12; event += 1) {
      ground.advance(MINUTE_MS);
      await ground.announce();
      await ground.settle(ground.sender());
    }
    assert.equal((await ground.webhook(id)).slow, false);
  });

  it('that take longer than a second in the mean are slow', async () => {
    const { id } = await ground.subscriber();
    answer.of = () => ({ ...OK, latencyMs: 1_500 });
    await ground.announce();
    await ground.settle(ground.sender());
    assert.equal((await ground.webhook(id)).slow, true);
  });
});

it('an answer is kept as it came, whatever characters it has', async () => {
  const answers = ['', 'null', 'ok', '{"a":[1,"b\\n"]}', "it's {a,b}", ' \\" ', 'a\nb\t,', 'é 𝔘', '\u{fffd}'];
  const subscribers = await ground.subscribe(answers.length, { host: (n) => `h${n}.example` });
  ground.answer.of = (url) => ({ ...OK, answer: answers[subscribers.findIndex((one) => one.url === url)] ?? null });
  await ground.announce();
  await ground.settle(ground.sender());
  const rows = await db<{ id: string; answer: string }[]>`select webhook_id as id, answer from webhook_attempts`;
  const kept = subscribers.map(({ id }) => rows.find((row) => row.id === id)?.answer);
  assert.deepEqual(kept, answers);
});
