import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type Receivers, startReceivers } from '../../test/support/webhooks/receivers.ts';
import { type PostClient, createPostClient } from './post-client.ts';

const headers = { 'content-type': 'application/json' };
const clock = { now: () => new Date() };
const IDLE = 0.1;
const BUSY = 0.95;

let receivers: Receivers;

before(async () => {
  receivers = await startReceivers({ flaws: ['none'] });
});
after(() => receivers.stop());
beforeEach(() => receivers.forget());

/** Posts to all paths at once. */
async function postAll(load: number, paths: string[], deadlineMs = 1_500) {
  const client = createPostClient({ development: true, clock, ca: receivers.ca, load: () => load });
  const outcomes = await Promise.all(paths.map((path) => post(client, path, deadlineMs)));
  client.close();
  const { connections } = await receivers.received();
  return { failures: outcomes.map(({ failure }) => failure), connections: connections['none'] };
}

const post = (client: PostClient, path: string, deadlineMs: number) =>
  client.post({ url: receivers.url(path), headers, body: '{}', deadlineMs });

test('an idle process opens a connection for each request in flight', async () => {
  const { failures, connections } = await postAll(IDLE, ['/ok', '/ok', '/ok', '/ok', '/ok']);
  assert.deepEqual([failures, connections], [[null, null, null, null, null], 5]);
});

test('a busy process waits for a connection in use', async () => {
  const { failures, connections } = await postAll(BUSY, ['/ok', '/ok', '/ok', '/ok', '/ok']);
  assert.deepEqual([failures, connections], [[null, null, null, null, null], 1]);
});

test('a busy process waits only briefly for a receiver that does not respond', async () => {
  const { failures, connections } = await postAll(BUSY, ['/never', '/ok', '/ok']);
  assert.deepEqual(failures, ['timeout', null, null]);
  assert.ok(connections === 2 || connections === 3, `${connections}`);
});

test('a closed connection is replaced by a new one', async () => {
  const { failures, connections } = await postAll(BUSY, ['/reset', '/ok', '/close', '/ok']);
  assert.deepEqual([failures, connections], [['connection', null, null, null], 3]);
});

test('the deadline applies to the wait for a connection', async () => {
  const client = createPostClient({ development: true, clock, ca: receivers.ca, load: () => BUSY });
  const first = post(client, '/never', 5_000);
  assert.equal((await post(client, '/ok', 50)).failure, 'timeout');
  client.close();
  assert.equal((await first).failure, 'connection');
  assert.equal((await receivers.received()).total, 1);
});

test('closing the client ends waiting requests', async () => {
  const client = createPostClient({ development: true, clock, ca: receivers.ca, load: () => BUSY });
  const pending = ['/never', '/ok', '/ok'].map((path) => post(client, path, 5_000));
  setTimeout(() => client.close(), 50);
  assert.deepEqual(
    (await Promise.all(pending)).map(({ failure }) => failure),
    ['connection', 'connection', 'connection'],
  );
});
