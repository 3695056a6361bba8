import assert from 'node:assert/strict';
import { after, before, beforeEach, test, afterEach, mock, describe } from 'node:test';
import dns from 'node:dns';
import { hostname } from 'node:os';
import { type Flaw, type Receivers, startReceivers } from '../../test/support/webhooks/receivers.ts';
import { until } from '../../test/support/processes/processes.ts';
import { createWebhookClient } from './webhook-client.ts';
import type { DeliveryOutcome } from './types.ts';
import { type DnsAnswer, type DnsServer, startDnsServer } from '../../test/support/servers/dns-server.ts';

const clock = { now: () => new Date() };
const headers = { 'content-type': 'application/json', 'webhook-id': 'event-1' };
let receivers: Receivers;
let client: ReturnType<typeof createWebhookClient>;
/** Waits half a second for a response. */
let impatient: typeof client;

before(async () => {
  receivers = await startReceivers();
});
after(() => receivers.stop());
beforeEach(() => {
  receivers.forget();
  client = createWebhookClient({ development: true, clock, ca: receivers.ca });
  impatient = createWebhookClient({ development: true, clock, ca: receivers.ca, deadlineMs: 500 });
});
afterEach(() => [client, impatient].forEach((one) => one.close()));

/** Sends one request, for which there is always room. */
async function deliver(by: typeof client, request: Parameters<typeof client.deliver>[0]): Promise<DeliveryOutcome> {
  return (await by.deliver(request))!;
}

async function post(path: string, options: { host?: string; flaw?: Flaw; by?: typeof client } = {}) {
  const { by = client } = options;
  return await deliver(by, { url: receivers.url(path, options), headers, body: '{"event":"é"}' });
}

test('sends one POST of exactly these bytes and headers', async () => {
  const outcome = await post('/ok/agent?a=b%20c', { host: 'a.receivers.localhost' });
  const { latencyMs: _, ...rest } = outcome;
  assert.deepEqual(rest, { status: 200, failure: null, answer: 'ok' });
  const { requests } = receivers.received;
  assert.equal(requests.length, 1);
  assert.equal(requests[0]!.body, '{"event":"é"}');
  assert.equal(requests[0]!.url, receivers.url('/ok/agent?a=b%20c', { host: 'a.receivers.localhost' }));
  assert.deepEqual(requests[0]!.headers, {
    ...headers,
    host: `a.receivers.localhost:${receivers.ports.none}`,
    connection: 'keep-alive',
    'content-length': '14',
  });
});

test('follows no redirect', async () => {
  for (const code of [301, 302, 303, 307, 308, 300, 304]) {
    const { failure, status } = await post(`/redirect?code=${code}&to=/ok`);
    assert.deepEqual({ failure, status }, { failure: 'redirect', status: code });
  }
  assert.ok(receivers.received.requests.every(({ url }) => url.includes('/redirect?')));
});

test('applies one deadline to every stage of a request', async () => {
  const slow: [string, Flaw][] = [
    ['/never', 'none'],
    ['/slow?ms=3000', 'none'],
    ['/slow-headers', 'none'],
    ['/drip', 'none'],
    ['/ok', 'silent'],
  ];
  const outcomes = await Promise.all(slow.map(([path, flaw]) => post(path, { flaw, by: impatient })));
  for (const [index, { failure }] of outcomes.entries()) {
    assert.equal(failure, 'timeout', slow[index]!.join(' '));
  }
});

test('reads at most 64 KB of body, and little else, of an endless response', async () => {
  for (const path of ['/endless', '/huge-headers', '/many-headers', '/body?bytes=65538']) {
    const { failure } = await post(path);
    assert.equal(failure, 'too_large', path);
  }
  const late = ['/endless-extension', '/endless-interim'].map((path) => post(path, { by: impatient }));
  for (const { failure } of await Promise.all(late)) assert.notEqual(failure, null);
  const failed = await post('/body?bytes=1000000&code=500');
  assert.deepEqual([failed.failure, failed.status, failed.answer?.length], ['status', 500, 512]);
});

test('reports an invalid certificate as a TLS failure and sends nothing', async () => {
  for (const flaw of ['selfSigned', 'expired', 'wrongName', 'unknownAuthority', 'oldTls'] as const) {
    const { failure, status } = await post('/ok', { flaw });
    assert.deepEqual({ failure, status }, { failure: 'tls', status: null }, flaw);
  }
  // The certificate is valid for one level below receivers.localhost.
  assert.equal((await post('/ok', { host: 'a.b.receivers.localhost' })).failure, 'tls');
  // This port speaks HTTP where the client expects TLS.
  const plain = await deliver(client, { url: `https://localhost:${receivers.ports.plain}/ok`, headers, body: '{}' });
  assert.equal(plain.failure, 'tls');
  assert.equal(receivers.received.requests.length, 0);
});

test('reports a broken connection as a connection failure', async () => {
  for (const path of ['/reset', '/cut', '/not-http', '/upgrade', '/two-lengths', '/status?code=100']) {
    const { failure } = await post(path);
    assert.equal(failure, 'connection', path);
  }
  for (const flaw of ['hangsUp', 'hangsUpInHandshake'] as const)
    assert.equal((await post('/ok', { flaw })).failure, 'connection', flaw);
  const unreachable = await deliver(client, { url: 'https://localhost:1/', headers, body: '{}' });
  assert.equal(unreachable.failure, 'connection');
});

test('accepts text, JSON, and an answer without content, and makes its text safe to store and show', async () => {
  assert.equal((await post('/json')).failure, null);
  assert.equal((await post('/html')).failure, 'content_type');
  assert.deepEqual(await post('/no-content').then(({ failure, status }) => [failure, status]), [null, 204]);
  const { answer } = await post('/hostile-text');
  assert.equal(answer, 'a\u{fffd}b\u{fffd}[31mred\u{fffd}\nnext\tline \u{fffd}txt.exe\u{fffd} \u{fffd} end');
});

test('throws for no URL and no headers', async () => {
  for (const url of ['', 'nonsense', 'ftp://localhost/', 'https://', 'https://[::1'])
    assert.equal((await deliver(client, { url, headers: {}, body: '' })).failure, 'refused_address', url);
  const url = receivers.url('/ok');
  for (const wrong of [{ 'bad header': 'x' }, { a: 'x\r\nhost: evil' }])
    assert.equal((await deliver(client, { url, headers: wrong, body: '' })).failure, 'connection');
  assert.equal(receivers.received.requests.length, 0);
});

test('outside development reaches no loopback, other port, URL with a user, or plain HTTP', async () => {
  const production = createWebhookClient({ development: false, clock, ca: receivers.ca });
  const { none, plain } = receivers.ports;
  const urls = [
    receivers.url('/ok'),
    `http://localhost:${plain}/ok`,
    'https://localhost/ok',
    'https://user@example.com/',
    'https://example.com:22/',
    'http://example.com/',
  ];
  for (const url of urls)
    assert.equal((await deliver(production, { url, headers, body: '' })).failure, 'refused_address', url);
  assert.deepEqual(await production.targetOf(receivers.url('/ok')), { network: null, failure: 'refused_address' });
  // Development also refuses a user, and other ports outside loopback.
  for (const url of [`https://user:pw@localhost:${none}/ok`, 'https://93.184.216.34:22/', 'http://93.184.216.34/'])
    assert.equal((await deliver(client, { url, headers, body: '' })).failure, 'refused_address', url);
  assert.deepEqual(await client.targetOf(receivers.url('/ok')), { network: null, failure: null });
  assert.equal((await production.targetOf('https://93.184.216.34/')).network, '93.184.216.0/24');
  assert.deepEqual(receivers.received, { requests: [], connections: {} });
  production.close();
  // Development allows plain HTTP on loopback.
  assert.equal((await post('/ok', { flaw: 'plain' })).failure, null);
});

test('close ends requests in flight', async () => {
  const pending = post('/never');
  await until('the request', async () => receivers.received.requests.length === 1);
  client.close();
  const { failure } = await pending;
  assert.equal(failure, 'connection');
  for (const flaw of ['none', 'silent'] as const)
    assert.equal((await post('/ok', { flaw })).failure, 'connection', flaw);
});

// A DNS server gives the answers that each test sets.
describe('requests by name', () => {
  let server: DnsServer;
  let resolving: ReturnType<typeof createWebhookClient>;
  let hasty: typeof resolving;
  let answers: (name: string, type: string, before: number) => DnsAnswer;
  let now = Date.now();
  const movedClock = { now: () => new Date(now) };
  const HERE: DnsAnswer = { records: [{ type: 'A', data: '127.0.0.1' }] };

  beforeEach(async () => {
    server = await startDnsServer((...question) => answers(...question));
    const options = { development: true, clock: movedClock, ca: receivers.ca, dnsServers: [server.address] };
    resolving = createWebhookClient(options);
    hasty = createWebhookClient({ ...options, deadlineMs: 400 });
  });
  afterEach(() => {
    resolving.close();
    hasty.close();
    server.stop();
  });

  async function postTo(name: string, by = resolving) {
    const url = receivers.url('/ok', { host: `${name}.receivers.test` });
    return await deliver(by, { url, headers: {}, body: '{}' });
  }

  /** A records for A, nothing for AAAA. */
  const onlyA =
    (...addresses: string[]) =>
    (_name: string, type: string): DnsAnswer =>
      type === 'A' ? { records: addresses.map((data) => ({ type, data })) } : 'nodata';

  test('resolves a name once and connects to the address of the answer', async () => {
    answers = onlyA('127.0.0.1');
    const lookup = mock.method(dns, 'lookup');
    assert.equal((await postTo('a')).failure, null);
    assert.equal(lookup.mock.callCount(), 0);
    for (const type of ['A', 'AAAA']) assert.equal(server.asked('a.receivers.test', type), 1);
    lookup.mock.restore();
  });

  test('reports a name without addresses as a DNS failure', async () => {
    for (const [index, answer] of (['nxdomain', 'nodata', 'servfail'] as const).entries()) {
      answers = () => answer;
      assert.equal((await postTo(`nowhere-${index}`)).failure, 'dns', answer);
    }
    // A definite answer is cached for some seconds. After a server failure, the next request asks again.
    assert.equal((await postTo('nowhere-0')).failure, 'dns');
    assert.equal(server.asked('nowhere-0.receivers.test', 'A'), 1);
    answers = onlyA('127.0.0.1');
    assert.equal((await postTo('nowhere-2')).failure, null);
  });

  test('applies the deadline to DNS', async () => {
    answers = () => 'silent';
    assert.equal((await postTo('silent', hasty)).failure, 'timeout');
    answers = () => 'garbage';
    assert.notEqual((await postTo('garbage', hasty)).failure, null);
  });

  test('caches an answer for some seconds, and refuses a name that was rebound, although a connection is open', async () => {
    answers = (_name, type, earlier) => {
      if (type !== 'A') return 'nodata';
      return earlier === 0 ? HERE : { records: [{ type, data: '10.0.0.1' }] };
    };
    const both = await Promise.all([postTo('rebound'), postTo('rebound')]);
    assert.ok(both.every(({ failure }) => failure === null));
    assert.equal((await postTo('rebound')).failure, null);
    assert.equal(server.asked('rebound.receivers.test', 'A'), 1);
    now += 5_001;
    const { length } = receivers.received.requests;
    assert.equal((await postTo('rebound')).failure, 'refused_address');
    assert.equal(server.asked('rebound.receivers.test', 'A'), 2);
    assert.equal(receivers.received.requests.length, length);
  });

  test('tells nobody which names the internal network has', async () => {
    answers = () => 'nxdomain';
    for (const allowedNetworks of [[], ['10.1.0.0/16']]) {
      const production = createWebhookClient({
        development: false,
        clock,
        dnsServers: [server.address],
        allowedNetworks,
      });
      const failureOf = async (host: string) => (await production.targetOf(`https://${host}/`)).failure;
      for (const host of [hostname(), 'intranet', 'ip6-localhost', 'my-agent.local.', 'printer.home.arpa', 'x.corp'])
        assert.equal(await failureOf(host), 'refused_address', host);
      assert.equal(await failureOf('not-yet.example.com'), 'dns');
      production.close();
    }
  });
});
