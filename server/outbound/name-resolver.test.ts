import assert from 'node:assert/strict';
import dns from 'node:dns';
import { hostname } from 'node:os';
import { after, afterEach, before, beforeEach, mock, test } from 'node:test';
import { type DnsAnswer, type DnsServer, startDnsServer } from '../../test/support/servers/dns-server.ts';
import { type Receivers, startReceivers } from '../../test/support/webhooks/receivers.ts';
import { type PostClient, createPostClient } from './post-client.ts';

// Requests by name, with a DNS server whose answers each test sets.

let receivers: Receivers;
let server: DnsServer;
let client: PostClient;
let answers: (name: string, type: string, before: number) => DnsAnswer;
let now = Date.now();
const clock = { now: () => new Date(now) };
const HERE: DnsAnswer = { records: [{ type: 'A', data: '127.0.0.1' }] };

before(async () => {
  receivers = await startReceivers();
});
after(() => receivers.stop());
beforeEach(async () => {
  await receivers.forget();
  server = await startDnsServer((...question) => answers(...question));
  client = createPostClient({ development: true, clock, ca: receivers.ca, dnsServers: [server.address] });
});
afterEach(() => {
  client.close();
  server.stop();
});

async function post(name: string, deadlineMs = 5_000) {
  const url = receivers.url('/ok', { host: `${name}.receivers.test` });
  const result = await client.post({ url, headers: {}, body: '{}', deadlineMs });
  return { ...result, ok: result.failure === null && result.status === 200 };
}

/** A records for A, nothing for AAAA. */
const onlyA =
  (...addresses: string[]) =>
  (_name: string, type: string): DnsAnswer =>
    type === 'A' ? { records: addresses.map((data) => ({ type, data })) } : 'nodata';

test('resolves a name once and connects to the address of the answer', async () => {
  answers = onlyA('127.0.0.1');
  const lookup = mock.method(dns, 'lookup');
  const outcome = await post('a');
  assert.deepEqual([outcome.ok, outcome.network], [true, '127.0.0.0/24']);
  assert.equal(lookup.mock.callCount(), 0);
  for (const type of ['A', 'AAAA']) assert.equal(server.asked('a.receivers.test', type), 1);
  lookup.mock.restore();
});

test('refuses a name when one of its addresses is forbidden', async () => {
  const mixed = { '127.0.0.1 10.0.0.1': 'A', '10.0.0.1 127.0.0.1': 'A', 'fd00::1': 'AAAA', '::ffff:127.0.0.1': 'AAAA' };
  for (const [index, [addresses, wanted]] of Object.entries(mixed).entries()) {
    answers = (_name, type) => {
      if (type === wanted) return { records: addresses.split(' ').map((data) => ({ type, data })) };
      return type === 'A' ? HERE : 'nodata';
    };
    assert.equal((await post(`mixed-${index}`)).failure, 'refused_address', addresses);
  }
  assert.deepEqual((await receivers.received()).connections, {});
});

test('reports a name without addresses as a DNS failure', async () => {
  for (const [index, answer] of (['nxdomain', 'nodata', 'servfail'] as const).entries()) {
    answers = () => answer;
    const { failure, network } = await post(`nowhere-${index}`);
    assert.deepEqual([failure, network], ['dns', null], answer);
  }
  // A definite answer is cached for some seconds. After a server failure, the next request asks again.
  assert.equal((await post('nowhere-0')).failure, 'dns');
  assert.equal(server.asked('nowhere-0.receivers.test', 'A'), 1);
  answers = onlyA('127.0.0.1');
  assert.ok((await post('nowhere-2')).ok);
});

test('applies the deadline to DNS', async () => {
  answers = () => 'silent';
  assert.equal((await post('silent', 400)).failure, 'timeout');
  answers = () => 'garbage';
  assert.equal((await post('garbage', 400)).ok, false);
});

test('caches an answer for some seconds; after a rebinding uses neither the answer nor its connection', async () => {
  answers = (_name, type, earlier) => {
    if (type !== 'A') return 'nodata';
    return earlier === 0 ? HERE : { records: [{ type, data: '10.0.0.1' }] };
  };
  const both = await Promise.all([post('rebound'), post('rebound')]);
  assert.ok(both.every(({ ok }) => ok));
  assert.equal(await client.networkOf(receivers.url('/ok', { host: 'rebound.receivers.test' })), '127.0.0.0/24');
  assert.ok((await post('rebound')).ok);
  assert.equal(server.asked('rebound.receivers.test', 'A'), 1);
  now += 5_001;
  const { total } = await receivers.received();
  assert.equal((await post('rebound')).failure, 'refused_address');
  assert.equal(server.asked('rebound.receivers.test', 'A'), 2);
  assert.equal((await receivers.received()).total, total);
});

test('reuses a connection only while the name leads to its address', async () => {
  answers = (_name, type, earlier) => {
    if (type !== 'A') return 'nodata';
    return { records: [{ type, data: earlier === 0 ? '127.0.0.1' : '127.0.0.2' }] };
  };
  assert.ok((await post('moved')).ok);
  now += 5_001;
  assert.equal((await post('moved')).failure, 'connection');
});

test('asks only DNS for names of the internal network', async () => {
  answers = () => 'nxdomain';
  const production = createPostClient({ development: false, clock, dnsServers: [server.address] });
  for (const host of [hostname(), 'intranet', 'ip6-localhost'])
    assert.equal((await production.post({ url: `https://${host}/`, headers: {}, body: '' })).failure, 'dns', host);
  production.close();
});
