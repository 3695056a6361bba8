import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type Receivers, startReceivers } from '../../test/support/webhooks/receivers.ts';
import { type Deliverer, createDeliverer } from './post-client.ts';

const headers = { 'content-type': 'application/json' };
const clock = { now: () => new Date() };
const AT_LEISURE = 0.1;
const AT_WORK = 0.95;

let receivers: Receivers;

before(async () => {
  receivers = await startReceivers({ flaws: ['none'] });
});
after(() => receivers.stop());
beforeEach(() => receivers.forget());

/** Posts to all of the paths at once. */
async function postAll(load: number, paths: string[], deadlineMs = 1_500) {
  const deliverer = createDeliverer({ development: true, clock, ca: receivers.ca, load: () => load });
  const outcomes = await Promise.all(paths.map((path) => post(deliverer, path, deadlineMs)));
  deliverer.close();
  const { connections } = await receivers.received();
  return { failures: outcomes.map(({ failure }) => failure), connections: connections['none'] };
}

const post = (deliverer: Deliverer, path: string, deadlineMs: number) =>
  deliverer.deliver({ url: receivers.url(path), headers, body: '{}', deadlineMs });

test('a process at leisure opens a connection for each delivery that is under way', async () => {
  const { failures, connections } = await postAll(AT_LEISURE, ['/ok', '/ok', '/ok', '/ok', '/ok']);
  assert.deepEqual([failures, connections], [[null, null, null, null, null], 5]);
});

test('one that has enough to do waits for a connection that is in use', async () => {
  const { failures, connections } = await postAll(AT_WORK, ['/ok', '/ok', '/ok', '/ok', '/ok']);
  assert.deepEqual([failures, connections], [[null, null, null, null, null], 1]);
});

test('but not long for one that does not answer', async () => {
  const { failures, connections } = await postAll(AT_WORK, ['/never', '/ok', '/ok']);
  assert.deepEqual(failures, ['timeout', null, null]);
  assert.ok(connections === 2 || connections === 3, `${connections}`);
});

test('in place of one that ended another is opened', async () => {
  const { failures, connections } = await postAll(AT_WORK, ['/reset', '/ok', '/close', '/ok']);
  assert.deepEqual([failures, connections], [['connection', null, null, null], 3]);
});

test('who waits has no longer than its attempt', async () => {
  const deliverer = createDeliverer({ development: true, clock, ca: receivers.ca, load: () => AT_WORK });
  const first = post(deliverer, '/never', 5_000);
  assert.equal((await post(deliverer, '/ok', 50)).failure, 'timeout');
  deliverer.close();
  assert.equal((await first).failure, 'connection');
  assert.equal((await receivers.received()).total, 1);
});

test('closing ends who waits', async () => {
  const deliverer = createDeliverer({ development: true, clock, ca: receivers.ca, load: () => AT_WORK });
  const pending = ['/never', '/ok', '/ok'].map((path) => post(deliverer, path, 5_000));
  setTimeout(() => deliverer.close(), 50);
  assert.deepEqual(
    (await Promise.all(pending)).map(({ failure }) => failure),
    ['connection', 'connection', 'connection'],
  );
});
