import assert from 'node:assert/strict';
import dns from 'node:dns';
import { hostname } from 'node:os';
import { after, afterEach, before, beforeEach, mock, test } from 'node:test';
import { type DnsAnswer, type DnsServer, startDnsServer } from '../../test/support/servers/dns-server.ts';
import { type Receivers, startReceivers } from '../../test/support/webhooks/receivers.ts';
import { type Deliverer, createDeliverer } from './post-client.ts';

// Deliveries by name, with a DNS server that answers what each test says.

let receivers: Receivers;
let server: DnsServer;
let deliverer: Deliverer;
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
  deliverer = newDeliverer();
});
afterEach(() => {
  deliverer.close();
  server.stop();
});

function newDeliverer(options: { lookups?: number } = {}): Deliverer {
  const { ca } = receivers;
  return createDeliverer({ development: true, clock, ca, dnsServers: [server.address], ...options });
}

function post(name: string, deadlineMs = 5_000, from = deliverer) {
  const url = receivers.url('/ok', { host: `${name}.receivers.test` });
  return from.deliver({ url, headers: {}, body: '{}', deadlineMs });
}

/** A records for A, nothing for AAAA. */
const onlyA =
  (...addresses: string[]) =>
  (_name: string, type: string): DnsAnswer =>
    type === 'A' ? { records: addresses.map((data) => ({ type, data })) } : 'nodata';

test('a name is resolved once, and the connection goes to what was answered', async () => {
  answers = onlyA('127.0.0.1');
  const lookup = mock.method(dns, 'lookup');
  const outcome = await post('a');
  assert.deepEqual([outcome.ok, outcome.network], [true, '127.0.0.0/24']);
  assert.equal(lookup.mock.callCount(), 0);
  for (const type of ['A', 'AAAA']) assert.equal(server.asked('a.receivers.test', type), 1);
  lookup.mock.restore();
});

test('a chain of CNAMEs is followed; the certificate is of the name that was asked for', async () => {
  answers = (name, type) => ({
    records: [
      { type: 'CNAME', data: 'one.elsewhere.test' },
      { name: 'one.elsewhere.test', type: 'CNAME', data: 'two.elsewhere.test' },
      ...(type === 'A' ? [{ name: 'two.elsewhere.test', type, data: '127.0.0.1' }] : []),
    ].map((record) => ({ name, ...record })),
  });
  assert.ok((await post('chained')).ok);
});

test('where nobody is at the first address the next one is tried', async () => {
  answers = onlyA('127.0.0.2', '127.0.0.3', '127.0.0.1');
  assert.ok((await post('several')).ok);
  answers = onlyA('127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.1');
  assert.equal((await post('too-many')).failure, 'connection');
});

test('one forbidden address among the answers refuses them all', async () => {
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

test('what leads nowhere is a failure of DNS', async () => {
  for (const [index, answer] of (['nxdomain', 'nodata', 'servfail'] as const).entries()) {
    answers = () => answer;
    const { failure, network } = await post(`nowhere-${index}`);
    assert.deepEqual([failure, network], ['dns', null], answer);
  }
  // Certain for some seconds; what only failed is asked again at once.
  assert.equal((await post('nowhere-0')).failure, 'dns');
  assert.equal(server.asked('nowhere-0.receivers.test', 'A'), 1);
  answers = onlyA('127.0.0.1');
  assert.ok((await post('nowhere-2')).ok);
});

test('a failure or silence for one record type does not stop the other', async () => {
  answers = (_name, type) => (type === 'A' ? HERE : 'servfail');
  assert.ok((await post('half')).ok);
  answers = (_name, type) => (type === 'A' ? HERE : 'silent');
  const { ok, latencyMs } = await timed(() => post('half-silent'));
  assert.ok(ok);
  assert.ok(latencyMs >= 900 && latencyMs < 3_000, `${latencyMs} ms`);
});

test('the deadline covers the name', async () => {
  answers = () => 'silent';
  const silent = await timed(() => post('silent', 400));
  assert.equal(silent.failure, 'timeout');
  assert.ok(silent.latencyMs < 1_500);
  answers = () => 'garbage';
  assert.equal((await post('garbage', 400)).ok, false);
});

test("an answer of hundreds of addresses is nobody's receiver; the last of many is judged like the first", async () => {
  const many = Array.from({ length: 60 }, (_, index) => `127.0.1.${index}`);
  answers = onlyA(...many, '192.168.0.1');
  assert.equal((await post('last')).failure, 'refused_address');
  answers = onlyA(...many, ...many.map((address) => address.replace('127.0.1', '127.0.2')));
  assert.equal((await post('huge')).failure, 'dns');
  answers = onlyA(...Array.from({ length: 3_000 }, (_, index) => `127.1.${index >> 8}.${index & 255}`));
  assert.equal((await post('enormous')).failure, 'dns');
});

test('an answer is used for a few seconds; after a rebinding neither it nor its connection is', async () => {
  answers = (_name, type, earlier) => {
    if (type !== 'A') return 'nodata';
    return earlier === 0 ? HERE : { records: [{ type, data: '10.0.0.1' }] };
  };
  const both = await Promise.all([post('rebound'), post('rebound')]);
  assert.ok(both.every(({ ok }) => ok));
  assert.equal(await deliverer.networkOf(receivers.url('/ok', { host: 'rebound.receivers.test' })), '127.0.0.0/24');
  assert.ok((await post('rebound')).ok);
  assert.equal(server.asked('rebound.receivers.test', 'A'), 1);
  now += 5_001;
  const { total } = await receivers.received();
  assert.equal((await post('rebound')).failure, 'refused_address');
  assert.equal(server.asked('rebound.receivers.test', 'A'), 2);
  assert.equal((await receivers.received()).total, total);
});

test('a kept connection serves its own address alone', async () => {
  answers = (_name, type, earlier) => {
    if (type !== 'A') return 'nodata';
    return { records: [{ type, data: earlier === 0 ? '127.0.0.1' : '127.0.0.2' }] };
  };
  assert.ok((await post('moved')).ok);
  now += 5_001;
  assert.equal((await post('moved')).failure, 'connection');
});

test('a TTL is kept to, a minute at most', async () => {
  answers = (_name, type) => (type === 'A' ? { records: [{ type, data: '127.0.0.1', ttl: 3_600 }] } : 'nodata');
  assert.ok((await post('long')).ok);
  now += 59_000;
  assert.ok((await post('long')).ok);
  assert.equal(server.asked('long.receivers.test', 'A'), 1);
  now += 1_001;
  assert.ok((await post('long')).ok);
  assert.equal(server.asked('long.receivers.test', 'A'), 2);
});

test('names asked for at once are bounded; who waits gives up in time and asks nothing', async () => {
  const narrow = newDeliverer({ lookups: 1 });
  answers = (name, type) => (name.startsWith('stuck') ? 'silent' : onlyA('127.0.0.1')(name, type));
  const stuck = post('stuck', 5_000, narrow);
  assert.equal((await post('waiting', 200, narrow)).failure, 'timeout');
  assert.equal(server.asked('waiting.receivers.test', 'A'), 0);
  // Its turn comes when the name before is given up, which is long before an attempt ends.
  assert.ok((await post('patient', 5_000, narrow)).ok);
  assert.equal((await stuck).failure, 'dns');
  narrow.close();
});

test('names of the inner network are asked of DNS alone', async () => {
  answers = () => 'nxdomain';
  const production = createDeliverer({ development: false, clock, dnsServers: [server.address] });
  for (const host of [hostname(), 'intranet', 'ip6-localhost'])
    assert.equal((await production.deliver({ url: `https://${host}/`, headers: {}, body: '' })).failure, 'dns', host);
  production.close();
});

async function timed(work: () => ReturnType<typeof post>) {
  const startedAt = performance.now();
  const outcome = await work();
  return { ...outcome, latencyMs: performance.now() - startedAt };
}
