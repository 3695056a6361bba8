import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Receivers, startReceivers } from '../../../test/support/webhooks/receivers.ts';
import { createPostClient, type PostClient } from '../../outbound/public.ts';
import { createDeliverWebhook } from './deliver-webhook.ts';

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
