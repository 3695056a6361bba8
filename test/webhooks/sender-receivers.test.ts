import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, it } from 'node:test';
import { testDatabase } from '../support/test-database.ts';
import { createPostClient } from '../../server/outbound/post-client.ts';
import { createDeliverWebhook } from '../../server/webhooks/delivery/deliver-webhook.ts';
import { type Flaw, startReceivers } from '../support/webhooks/receivers.ts';
import { senderWorld } from '../support/webhooks/sender-world.ts';

// The sender with the real client, against HTTPS servers that behave like receivers.

const MINUTE_MS = 60_000;

const receivers = await startReceivers();
const client = createPostClient({ development: true, clock: { now: () => new Date() }, ca: receivers.ca });
const deliverWebhook = createDeliverWebhook(client);
after(async () => {
  client.close();
  await receivers.stop();
});
const { db } = await testDatabase();
const world = senderWorld(db);

beforeEach(async () => {
  await world.clear();
  await receivers.forget();
  world.network.of = () => null;
  world.answer.of = (url, { headers, body }) => deliverWebhook({ url, headers, body, deadlineMs: 1_500 });
});
afterEach(() => assert.deepEqual(world.errors, []));

const at = (path: string, flaw: Flaw = 'none') => receivers.url(path, { flaw });

/** Returns the attempts of each subscription, in the order of the URLs. */
async function attemptsOf(urls: string[]): Promise<string[][]> {
  const subscribers = await world.subscribeTo(urls);
  await world.announce();
  await world.settle(world.sender());
  const attempts = await world.attempts();
  return subscribers.map(({ id }) =>
    attempts.filter(({ webhookId }) => webhookId === id).map(({ number, failure }) => `${number} ${failure ?? 'ok'}`),
  );
}

it('every kind of receiver gets a first attempt, and an immediate retry after a failure', async () => {
  const twice = (failure: string) => [`1 ${failure}`, `2 ${failure}`];
  const cases: [url: string, attempts: string[]][] = [
    [at('/ok'), ['1 ok']],
    [at('/json'), ['1 ok']],
    [at('/flaky/a?times=1'), ['1 status', '2 ok']],
    [at('/fail'), twice('status')],
    [at('/html'), twice('content_type')],
    [at('/redirect'), twice('redirect')],
    [at('/gone'), ['1 status']],
    [at('/never'), twice('timeout')],
    [at('/slow-headers'), twice('timeout')],
    [at('/ok/b', 'selfSigned'), twice('tls')],
    [at('/ok/c', 'wrongName'), twice('tls')],
    [at('/ok/d', 'hangsUp'), twice('connection')],
    [at('/ok/e', 'silent'), twice('timeout')],
  ];
  const made = await attemptsOf(cases.map(([url]) => url));
  assert.deepEqual(
    made.map((attempts, index) => [cases[index]?.[0], attempts]),
    cases,
  );
  const waiting = (await world.retries()).filter(({ deadAt, deliveredAt }) => deadAt === null && deliveredAt === null);
  assert.equal(waiting.length, 9);
  assert.ok(waiting.every(({ dueAt, retries }) => retries === 0 && dueAt?.getTime() === world.at(MINUTE_MS).getTime()));
});

it('the next retry reaches a receiver that is back, with the same id and a new timestamp', async () => {
  await attemptsOf([at('/flaky/f?times=3')]);
  world.advance(MINUTE_MS);
  await world.settle(world.sender());
  world.advance(5 * MINUTE_MS);
  await world.settle(world.sender());
  const { requests } = await receivers.received();
  assert.equal(requests.length, 4);
  assert.equal(new Set(requests.map(({ headers }) => headers['webhook-id'])).size, 1);
  assert.equal(new Set(requests.map(({ headers }) => headers['webhook-timestamp'])).size, 3);
  assert.equal(new Set(requests.map(({ headers }) => headers['service-signature'])).size, 1, 'the body is the same');
  assert.ok((await world.retries()).every(({ deliveredAt }) => deliveredAt !== null));
});
