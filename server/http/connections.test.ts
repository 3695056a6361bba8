import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, it } from 'node:test';
import { until } from '../../test/support/processes/processes.ts';
import { DomainError } from '../../contract/basics/errors.ts';
import type { App } from './app.ts';
import { createConnections } from './connections.ts';
import { listen } from './server.ts';

it('counts the connections of an address, and the requests that a trusted proxy forwards', () => {
  const { open, begin } = createConnections({ most: 2, trustedProxies: ['10.0.0.0/8'] });
  const first = open('203.0.113.1');
  // One subscriber has a whole network of IPv6.
  for (const address of ['::ffff:203.0.113.1', '2001:db8::1', '2001:db8::2']) assert.ok(open(address));
  for (const address of ['203.0.113.1', '2001:db8::3']) assert.equal(open(address), null);
  first?.();
  assert.ok(open('203.0.113.1'));
  for (const peer of ['127.0.0.1', '127.0.0.1', '127.0.0.1', '10.0.0.1', '10.0.0.1', '10.0.0.1']) assert.ok(open(peer));
  const ends = [begin('10.0.0.1', '198.51.100.1'), begin('10.0.0.2', '198.51.100.1')];
  assert.equal(begin('10.0.0.1', '198.51.100.1'), null);
  assert.ok(begin('10.0.0.1', '198.51.100.2'));
  // Nobody believes the header of others.
  for (const _ of [1, 2, 3]) assert.ok(begin('203.0.113.9', '198.51.100.3'));
  ends[0]?.();
  assert.ok(begin('10.0.0.1', '198.51.100.1'));
});

it('answers a connection too many with 429, and closes it', async () => {
  const told: string[] = [];
  const app = {
    connections: { most: 2, open: () => null, begin: () => () => {} },
    shareAcrossOrigins: () => false,
    fail(error: unknown) {
      told.push(error instanceof DomainError ? `${error.status} ${error.code}` : String(error));
      return { status: 429, headers: { 'Retry-After': '5' }, body: '{}' };
    },
  } as unknown as App;
  const listener = await listen(app, { host: '127.0.0.1', port: 0 });
  after(() => listener.close(0));
  const socket = connect(listener.port, '127.0.0.1');
  const silent = connect(listener.port, '127.0.0.1').on('data', () => {});
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\nx');
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  assert.match(text, /^HTTP\/1\.1 429 [^]*retry-after: 5\r\n/i);
  assert.deepEqual(told, ['429 RATE_LIMIT_EXCEEDED']);
  // One that says nothing ends, too.
  if (!silent.closed) await new Promise((resolve) => void silent.once('close', resolve));
});

it('refuses a request behind 16 others of its connection', async () => {
  const { promise: first, resolve: answer } = Promise.withResolvers<Response>();
  let refused = 0;
  const app = {
    connections: createConnections({ most: 2, trustedProxies: [] }),
    shareAcrossOrigins: () => false,
    refusal: () => null,
    fetch: async () => (await first).clone(),
    fail: () => ({ status: 429, headers: { 'X-Refused': String((refused += 1)) }, body: '{}' }),
  } as unknown as App;
  const listener = await listen(app, { host: '127.0.0.1', port: 0 });
  after(() => listener.close(0));
  const socket = connect(listener.port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(20));
  await until('the refusals', async () => refused === 3);
  answer(new Response('ok'));
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  assert.deepEqual([text.match(/HTTP\/1\.1 200/g)?.length, text.match(/HTTP\/1\.1 429/g)?.length], [17, 1]);
});
