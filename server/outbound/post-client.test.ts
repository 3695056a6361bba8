import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, beforeEach, test } from 'node:test';
import { promisify } from 'node:util';
import { type Flaw, type Receivers, startReceivers } from '../../test/support/webhooks/receivers.ts';
import { type Deliverer, createDeliverer } from './post-client.ts';
import type { DeliveryOutcome } from '../ports/webhooks.ts';

const clock = { now: () => new Date() };
const headers = { 'content-type': 'application/json', 'webhook-id': 'event-1' };
let receivers: Receivers;
let deliverer: Deliverer;

before(async () => {
  receivers = await startReceivers();
});
after(() => receivers.stop());
beforeEach(async (t) => {
  await receivers.forget();
  deliverer = createDeliverer({ development: true, clock, ca: receivers.ca, load: () => 0 });
  (t as unknown as { after(work: () => void): void }).after(() => deliverer.close());
});

function post(
  path: string,
  options: { host?: string; flaw?: Flaw; deadlineMs?: number } = {},
): Promise<DeliveryOutcome> {
  const { deadlineMs = 5_000 } = options;
  return deliverer.deliver({ url: receivers.url(path, options), headers, body: '{"event":"é"}', deadlineMs });
}

test('a delivery is one POST of exactly these bytes and headers', async () => {
  const outcome = await post('/ok/agent?a=b%20c', { host: 'a.receivers.localhost' });
  const { latencyMs, ...rest } = outcome;
  assert.deepEqual(rest, { ok: true, status: 200, failure: null, answer: 'ok', network: '127.0.0.0/24' });
  assert.ok(latencyMs >= 0 && latencyMs < 5_000);
  const { requests, total } = await receivers.received();
  assert.equal(total, 1);
  assert.equal(requests[0]!.body, '{"event":"é"}');
  assert.equal(requests[0]!.url, receivers.url('/ok/agent?a=b%20c', { host: 'a.receivers.localhost' }));
  assert.deepEqual(requests[0]!.headers, {
    ...headers,
    host: `a.receivers.localhost:${receivers.ports.none}`,
    connection: 'keep-alive',
    'content-length': '14',
  });
});

test('success is any 2xx with a type that the specification names', async () => {
  const succeeds = ['/ok', '/json', '/interim', '/status?code=299', '/close', '/cookie', '/body?bytes=65536'];
  for (const path of succeeds) assert.deepEqual(shape(await post(path)), [true, null], path);
  const fails = { '/html': 'content_type', '/no-type': 'content_type', '/two-types': 'content_type' } as const;
  for (const [path, failure] of Object.entries(fails))
    assert.deepEqual(shape(await post(path)), [false, failure], path);
  const empty = await post('/no-content');
  assert.deepEqual([empty.status, empty.failure], [204, 'content_type']);
});

test('another status is a failure that tells it, with its answer', async () => {
  for (const code of [400, 404, 410, 429, 500, 503]) {
    const { ok, failure, status, answer } = await post(`/status?code=${code}`);
    assert.deepEqual({ ok, failure, status, answer }, { ok: false, failure: 'status', status: code, answer: 'no' });
  }
  const { status, failure, latencyMs } = await post('/drip-failure', { deadlineMs: 400 });
  assert.deepEqual({ status, failure }, { status: 503, failure: 'status' });
  assert.ok(latencyMs < 2_000);
});

test('no redirect is followed', async () => {
  for (const code of [301, 302, 303, 307, 308, 300, 304]) {
    const { ok, failure, status } = await post(`/redirect?code=${code}&to=/ok`);
    assert.deepEqual({ ok, failure, status }, { ok: false, failure: 'redirect', status: code });
  }
  const { counts } = await receivers.received();
  assert.equal(counts['/ok'], undefined);
});

test('one deadline covers whatever takes long', async () => {
  const slow: [string, Flaw][] = [
    ['/never', 'none'],
    ['/slow?ms=3000', 'none'],
    ['/slow-headers', 'none'],
    ['/drip', 'none'],
    ['/ok', 'silent'],
  ];
  const outcomes = await Promise.all(slow.map(([path, flaw]) => post(path, { flaw, deadlineMs: 500 })));
  for (const [index, { ok, failure, latencyMs }] of outcomes.entries()) {
    assert.deepEqual([ok, failure], [false, 'timeout'], slow[index]!.join(' '));
    assert.ok(latencyMs >= 490 && latencyMs < 2_000, `${slow[index]!.join(' ')} took ${latencyMs} ms`);
  }
});

test('of an answer that does not end no more is read than 64 KB of body, and little else', async () => {
  for (const path of [
    '/endless',
    '/endless-extension',
    '/endless-interim',
    '/huge-headers',
    '/many-headers',
    '/body?bytes=65538',
  ]) {
    const { ok, failure, latencyMs } = await post(path);
    assert.deepEqual([ok, failure], [false, 'too_large'], path);
    assert.ok(latencyMs < 2_000, `${path} took ${latencyMs} ms`);
  }
  const failed = await post('/body?bytes=1000000&code=500');
  assert.deepEqual([failed.failure, failed.status, failed.answer?.length], ['status', 500, 512]);
});

test('the first KB of an answer is kept, as text that does no harm', async () => {
  assert.equal((await post('/body?bytes=1024')).answer, 'é'.repeat(512));
  assert.equal((await post('/body?bytes=60000')).answer, 'é'.repeat(512));
  assert.equal(
    (await post('/hostile-text')).answer,
    'a\u{fffd}b\u{fffd}[31mred\u{fffd}\nnext\tline \u{fffd}txt.exe\u{fffd} \u{fffd} end',
  );
  assert.equal((await post('/not-utf8')).answer, 'a\u{fffd}\u{fffd}\u{fffd}');
  const packed = await post('/gzip');
  assert.ok(packed.ok);
  assert.ok(Buffer.byteLength(packed.answer!) <= 3 * 1024);
});

test('a certificate that does not hold is a TLS failure, and nothing is sent', async () => {
  for (const flaw of ['selfSigned', 'expired', 'wrongName', 'unknownAuthority', 'oldTls'] as const) {
    const { ok, failure, status, network } = await post('/ok', { flaw });
    const expected = { ok: false, failure: 'tls', status: null, network: '127.0.0.0/24' };
    assert.deepEqual({ ok, failure, status, network }, expected, flaw);
  }
  // The certificate names one level below receivers.localhost and no more.
  assert.equal((await post('/ok', { host: 'a.b.receivers.localhost' })).failure, 'tls');
  // It speaks HTTP where TLS is expected.
  const plain = await deliverer.deliver({ url: `https://localhost:${receivers.ports.plain}/ok`, headers, body: '{}' });
  assert.equal(plain.failure, 'tls');
  assert.equal((await receivers.received()).total, 0);
});

test('other groups, TLS 1.2 and addresses in the certificate are fine', async () => {
  for (const flaw of ['otherGroup', 'tls12'] as const) assert.ok((await post('/ok', { flaw })).ok, flaw);
  assert.ok((await post('/ok', { host: '127.0.0.1' })).ok);
  assert.ok((await post('/ok', { host: '2130706433' })).ok);
});

test('whatever breaks the connection is a connection failure', async () => {
  for (const path of ['/reset', '/cut', '/not-http', '/upgrade', '/two-lengths', '/status?code=100']) {
    const { ok, failure } = await post(path);
    assert.deepEqual([ok, failure], [false, 'connection'], path);
  }
  for (const flaw of ['hangsUp', 'hangsUpInHandshake'] as const)
    assert.equal((await post('/ok', { flaw })).failure, 'connection', flaw);
  const nobody = await deliverer.deliver({ url: 'https://localhost:1/', headers, body: '{}' });
  assert.equal(nobody.failure, 'connection');
});

test('a connection is used again for the same host, port and address', async () => {
  for (const host of ['a.receivers.localhost', 'a.receivers.localhost', 'b.receivers.localhost'])
    assert.ok((await post('/ok', { host })).ok);
  const { requests, connections } = await receivers.received();
  assert.equal(connections['none'], 2);
  assert.equal(requests[0]!.connection, requests[1]!.connection);
  // Two at once need two.
  await Promise.all([post('/slow?ms=50'), post('/slow?ms=50')]);
  assert.equal((await receivers.received()).connections['none'], 4);
});

test('a connection that the other side has ended meanwhile is replaced within the attempt', async () => {
  assert.ok((await post('/ok')).ok);
  await receivers.hangUp();
  assert.ok((await post('/ok')).ok);
  const { total } = await receivers.received();
  assert.equal(total, 2);
});

test('an answer that came without a question belongs to no later delivery', async () => {
  assert.ok((await post('/two-answers')).ok);
  const next = await post('/fail');
  assert.deepEqual([next.status, next.answer], [500, 'failed']);
});

test('cookies are not kept, and nothing of an answer is sent back', async () => {
  await post('/cookie');
  await post('/cookie');
  for (const request of (await receivers.received()).requests) assert.equal(request.headers['cookie'], undefined);
});

test('sessions are resumed at the same host, whose certificate was checked', async () => {
  assert.ok((await post('/close')).ok);
  assert.ok((await post('/close')).ok);
  const { resumed } = await receivers.received();
  assert.equal(resumed, 1);
  // The ticket of one name is never shown for another: there the certificate is looked at.
  assert.equal((await post('/close', { host: 'a.b.receivers.localhost' })).failure, 'tls');
});

test('nothing is thrown, whatever the URL and headers', async () => {
  for (const url of [
    '',
    'nonsense',
    'ftp://localhost/',
    'https://',
    'javascript:alert(1)',
    'https://[::1',
    'file:///etc/passwd',
  ])
    assert.equal((await deliverer.deliver({ url, headers: {}, body: '' })).failure, 'refused_address', url);
  const url = receivers.url('/ok');
  assert.equal((await deliverer.deliver({ url, headers: { 'bad header': 'x' }, body: '' })).failure, 'connection');
  assert.equal((await deliverer.deliver({ url, headers: { a: 'x\r\nhost: evil' }, body: '' })).failure, 'connection');
  assert.equal((await receivers.received()).total, 0);
});

test('outside development nothing on this machine is reached, nor other ports, users or plain HTTP', async () => {
  const production = createDeliverer({ development: false, clock, ca: receivers.ca });
  const { none, plain } = receivers.ports;
  const urls = [
    receivers.url('/ok'),
    `https://127.0.0.1:${none}/ok`,
    `https://[::1]:${none}/ok`,
    `http://localhost:${plain}/ok`,
    'https://localhost/ok',
    'https://127.1/ok',
    'https://user@example.com/',
    'https://example.com:22/',
    'http://example.com/',
  ];
  for (const url of urls)
    assert.equal((await production.deliver({ url, headers, body: '' })).failure, 'refused_address', url);
  assert.equal(await production.networkOf(receivers.url('/ok')), null);
  production.close();
  // In development too a user is none, and what is not loopback has the usual ports.
  for (const url of [`https://user:pw@localhost:${none}/ok`, 'https://93.184.216.34:22/', 'http://93.184.216.34/'])
    assert.equal((await deliverer.deliver({ url, headers, body: '' })).failure, 'refused_address', url);
  assert.equal(await deliverer.networkOf(receivers.url('/ok')), '127.0.0.0/24');
  const { total, connections } = await receivers.received();
  assert.deepEqual([total, connections], [0, {}]);
  // Plain HTTP to a receiver on this machine is development's alone.
  assert.ok((await post('/ok', { flaw: 'plain' })).ok);
});

test('closing ends what is under way', async () => {
  const pending = post('/never');
  setTimeout(() => deliverer.close(), 100);
  const { failure, latencyMs } = await pending;
  assert.equal(failure, 'connection');
  assert.ok(latencyMs < 2_000);
  for (const flaw of ['none', 'silent'] as const)
    assert.equal((await post('/ok', { flaw })).failure, 'connection', flaw);
});

test('a process ends by itself when its deliverer is closed', async () => {
  const script = `
    import { createDeliverer } from ${JSON.stringify(import.meta.resolve('./post-client.ts'))};
    const deliverer = createDeliverer({ development: true, clock: { now: () => new Date() }, ca: process.argv[1] });
    const { ok } = await deliverer.deliver({ url: process.argv[2], headers: {}, body: '' });
    deliverer.close();
    const closedAt = performance.now();
    process.once('exit', () => console.log(JSON.stringify({ ok, afterMs: performance.now() - closedAt })));
  `;
  const args = ['--input-type=module-typescript', '-e', script, '--', receivers.ca, receivers.url('/ok')];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { ok, afterMs } = JSON.parse(stdout) as { ok: boolean; afterMs: number };
  assert.ok(ok);
  // An idle connection would keep it for four seconds.
  assert.ok(afterMs < 2_000, `${afterMs} ms`);
});

function shape({ ok, failure }: DeliveryOutcome): [boolean, DeliveryOutcome['failure']] {
  return [ok, failure];
}
