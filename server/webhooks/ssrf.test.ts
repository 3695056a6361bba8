// own process: watches every connection that the process opens
import assert from 'node:assert/strict';
import { Socket, isIPv4 } from 'node:net';
import { after, before, mock, test } from 'node:test';
import { type DnsAnswer, type DnsServer, startDnsServer } from '../../test/support/servers/dns-server.ts';
import { type Receivers, startReceivers } from '../../test/support/webhooks/receivers.ts';
import { addressRangeOf, forbiddenAddresses } from './address-guard.ts';
import { createWebhookClient } from './webhook-client.ts';

// Spells forbidden addresses in thousands of ways: as the host of a URL in every encoding that URLs know, and as the DNS
// records of a name. The test counts every connection that the process starts.

// Every entry of IANA's registries of special-purpose addresses, written independently of the tested code:
// https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry; and multicast.
const specialIpv4 = `
  0.0.0.0/8 0.0.0.0/32 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
  192.0.0.0/29 192.0.0.8/32 192.0.0.9/32 192.0.0.10/32 192.0.0.170/31 192.0.2.0/24 192.31.196.0/24
  192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24
  203.0.113.0/24 240.0.0.0/4 255.255.255.255/32 224.0.0.0/4
`
  .trim()
  .split(/\s+/);
const specialIpv6 = `
  ::1/128 ::/128 ::ffff:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23 2001::/32
  2001:1::1/128 2001:1::2/128 2001:1::3/128 2001:2::/48 2001:3::/32 2001:4:112::/48 2001:10::/28
  2001:20::/28 2001:30::/28 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20 5f00::/16 fc00::/7
  fe80::/10
`
  .trim()
  .split(/\s+/);
/** In no registry of special addresses, but not assigned either. */
const unassignedIpv6 = ['fec0::/10', 'ff00::/8', '::/8', '400::/6', '4000::/3', '8000::/3', 'e000::/4'];
/** Metadata services of clouds, the most common targets. */
const metadata = ['169.254.169.254', '169.254.170.2', '100.100.100.200', '192.0.0.192', '168.63.129.16', '127.0.0.1'];
const PUBLIC = { A: '93.184.215.14', AAAA: '2606:2800:21f:cb07::1' };

const clock = { now: () => new Date() };
const isForbiddenAddress = forbiddenAddresses(false, []);
let receivers: Receivers;
let server: DnsServer;
const zone = new Map<string, Record<string, DnsAnswer>>();
const connects = mock.method(Socket.prototype, 'connect');

before(async () => {
  receivers = await startReceivers();
  server = await startDnsServer((name, type) => zone.get(name)?.[type] ?? 'nodata');
});
after(async () => {
  server.stop();
  receivers.stop();
});

test('connects to no special address, however a URL or DNS record spells it', async (t) => {
  const client = createWebhookClient({ development: false, clock, dnsServers: [server.address] });
  t.after(() => client.close());
  const urls = [...corpus()];
  assert.ok(new Set(urls).size >= 5_000, `${urls.length} cases`);
  t.diagnostic(`${urls.length} cases`);
  await assertRefused(client, urls);
});

test('a development start reaches loopback but no other special address', async (t) => {
  const client = createWebhookClient({ development: true, clock, ca: receivers.ca, dnsServers: [server.address] });
  t.after(() => client.close());
  const { none: port } = receivers.ports;
  const isLoopback = (address: string) => address.startsWith('127.') || expanded(address).endsWith(':0000:0001');
  const addresses = [...samples(specialIpv4), ...samples([...specialIpv6, ...unassignedIpv6])];
  const wrapped = wraps('127.0.0.1');
  const urls = [...addresses.filter((address) => !isLoopback(address)), ...wrapped].map(
    (address) => `https://${hostOf(address)}:${port}/ok`,
  );
  await assertRefused(client, urls);
  assert.deepEqual(receivers.received.connections, {});
  // The count does see an allowed connection.
  const earlier = connects.mock.callCount();
  assert.equal((await client.deliver({ url: `https://2130706433:${port}/ok`, headers: {}, body: '' }))?.status, 200);
  assert.equal(connects.mock.callCount(), earlier + 1);
  assert.equal(receivers.received.connections['none'], 1);
  receivers.forget();
});

test('judges the neighbors of special ranges on their own', () => {
  const neighbors = `
    9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255 169.255.0.0
    172.15.255.255 172.32.0.0 192.0.1.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255
    168.63.129.15 1.0.0.0 8.8.8.8 2000::1 2001:200::1 2001:4860:4860::8888 2003::1 2606:4700::1 3ffe:ffff::1
    3fff:1000::1`;
  for (const address of neighbors.trim().split(/\s+/)) assert.ok(!isForbiddenAddress(address), address);
  // A text that is no plain address is forbidden.
  for (const text of [
    '',
    'localhost',
    '127.1',
    '0x7f.1',
    '2001:4860::8888%lo',
    '[::1]',
    '8.8.8.8 ',
    '1.2.3.4.5',
    ':::',
  ])
    assert.ok(isForbiddenAddress(text), text);
});

test('allows the private networks that the operator names, and nothing beside them', () => {
  const isForbidden = forbiddenAddresses(false, ['10.1.0.0/16', 'fd00:1::/32']);
  for (const address of ['10.1.0.1', '10.1.255.255', 'fd00:1::7', '8.8.8.8']) assert.ok(!isForbidden(address), address);
  for (const address of ['10.2.0.1', '10.0.255.255', 'fd00:2::7', '127.0.0.1', '169.254.169.254', 'db'])
    assert.ok(isForbidden(address), address);
});

test('groups addresses into networks of /24 and /48', () => {
  assert.equal(addressRangeOf('203.0.113.77'), '203.0.113.0/24');
  assert.equal(addressRangeOf('2a00:1450:4001:81b::200e'), '2a00:1450:4001::/48');
  assert.equal(addressRangeOf('2a00::1'), '2a00:0:0::/48');
  assert.throws(() => addressRangeOf('example.com'), TypeError);
});

async function assertRefused(client: ReturnType<typeof createWebhookClient>, urls: string[]): Promise<void> {
  const earlier = connects.mock.callCount();
  for (let at = 0; at < urls.length; at += 25) {
    await Promise.all(
      urls.slice(at, at + 25).map(async (url) => {
        const outcome = await client.deliver({ url, headers: {}, body: '{}' });
        assert.equal(outcome?.failure, 'refused_address', url);
      }),
    );
  }
  assert.equal(connects.mock.callCount(), earlier);
}

function* corpus(): Generator<string> {
  for (const address of [...metadata, ...samples(specialIpv4)]) {
    for (const host of spellings(address)) yield `https://${host}/hook`;
    const [plain = ''] = spellings(address);
    for (const rest of ['user@', 'user:password@', '@', 'example.com@']) yield `https://${rest}${plain}/`;
    for (const port of ['', ':443', ':8443', ':80', ':22', ':0', ':65535']) yield `https://${plain}${port}/`;
    for (const wrapped of wraps(address)) {
      yield `https://[${wrapped}]/hook`;
      yield named({ AAAA: [wrapped] });
      yield named({ A: [PUBLIC.A], AAAA: [PUBLIC.AAAA, wrapped] });
    }
    yield* namesOf('A', address);
  }
  for (const address of samples([...specialIpv6, ...unassignedIpv6])) {
    for (const host of [`[${address}]`, `[${address.toUpperCase()}]`, `[${expanded(address)}]`])
      yield `https://${host}/hook`;
    yield* namesOf('AAAA', address);
  }
}

/** Names that lead to an address in different ways. */
function* namesOf(type: 'A' | 'AAAA', address: string): Generator<string> {
  yield named({ [type]: [address] });
  yield named({ [type]: [address, PUBLIC[type]] });
  yield named({ [type]: [PUBLIC[type], address] });
  yield named({ [type]: [address] }, 1);
  yield named({ [type]: [PUBLIC[type], address] }, 3);
  yield named({ ...(type === 'A' ? { AAAA: [PUBLIC.AAAA] } : { A: [PUBLIC.A] }), [type]: [address] });
}

/** Adds a name to the zone, with its addresses behind `aliases` CNAMEs, and returns a URL. */
function named(records: { A?: string[]; AAAA?: string[] }, aliases = 0): string {
  const name = `n${zone.size}.corpus.test`;
  const chain = [name, ...Array.from({ length: aliases }, (_, index) => `alias${index}.${name}`)];
  const cnames = chain.slice(1).map((data, index) => ({ name: chain[index]!, type: 'CNAME', data }));
  const of = (type: 'A' | 'AAAA'): DnsAnswer => {
    const data = records[type] ?? [];
    return { records: [...cnames, ...data.map((each) => ({ name: chain.at(-1)!, type, data: each }))] };
  };
  zone.set(name, { A: of('A'), AAAA: of('AAAA') });
  return `https://${name}/hook`;
}

/** Returns the first, the last, and some middle addresses of each range. */
function samples(ranges: readonly string[]): string[] {
  return ranges.flatMap((range) => {
    const [address = '', prefix] = range.split('/');
    const width = isIPv4(address) ? 32n : 128n;
    const first = isIPv4(address)
      ? valueOf(address.split('.'), 10, 8n)
      : valueOf(expanded(address).split(':'), 16, 16n);
    const last = first + (1n << (width - BigInt(prefix!))) - 1n;
    const between = [1n, 3n, 7n].map((part) => first + ((last - first) * part) / 9n);
    const text = width === 32n ? (value: bigint) => parts(value, 4, 8n).join('.') : colons;
    return [...new Set([first, first + 1n, ...between, last])].filter((value) => value <= last).map(text);
  });
}

function spellings(address: string): string[] {
  const bytes = address.split('.').map(Number) as [number, number, number, number];
  const [a, b, c, d] = bytes;
  const value = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = (number: number) => `0x${number.toString(16)}`;
  const octal = (number: number) => `0${number.toString(8)}`;
  return [
    address,
    `${address}.`,
    String(value),
    hex(value),
    hex(value).toUpperCase(),
    octal(value),
    bytes.map(hex).join('.'),
    bytes.map(octal).join('.'),
    bytes.map((byte) => `0000${octal(byte)}`).join('.'),
    `${hex(a)}.${b}.${octal(c)}.${d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${a}.${hex((b * 256 + c) * 256 + d)}`,
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${b}.${octal(c * 256 + d)}`,
    address.replaceAll('.', '%2e'),
    address.replaceAll('.', '。'),
    address.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    address.replaceAll(/\d/g, (digit) => `%3${digit}`),
  ];
}

/** Returns IPv6 addresses that contain an IPv4 address. */
function wraps(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  const high = (a * 256 + b).toString(16);
  const low = (c * 256 + d).toString(16);
  const flip = (group: string) => (Number.parseInt(group, 16) ^ 0xffff).toString(16);
  return [
    `::ffff:${address}`,
    `::ffff:${high}:${low}`,
    `::${address}`,
    `::${high}:${low}`,
    `::ffff:0:${high}:${low}`,
    `64:ff9b::${high}:${low}`,
    `64:ff9b:1::${high}:${low}`,
    `2002:${high}:${low}::1`,
    `2001:0:4136:e378:8000:63bf:${flip(high)}:${flip(low)}`,
    `2001:0:${high}:${low}::1`,
    `2606:2800:21f:cb07:0:5efe:${high}:${low}`,
    `2606:2800:21f:cb07:200:5efe:${high}:${low}`,
    `fe80::5efe:${high}:${low}`,
  ];
}

function hostOf(address: string): string {
  return isIPv4(address) ? address : `[${address}]`;
}

function expanded(address: string): string {
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(8 - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right].map((group) => group.padStart(4, '0')).join(':');
}

function valueOf(groups: string[], radix: number, width: bigint): bigint {
  return groups.reduce((value, group) => (value << width) + BigInt(Number.parseInt(group, radix)), 0n);
}

function parts(value: bigint, count: number, width: bigint): bigint[] {
  return Array.from(
    { length: count },
    (_, index) => (value >> (width * BigInt(count - 1 - index))) & ((1n << width) - 1n),
  );
}

function colons(value: bigint): string {
  return parts(value, 8, 16n)
    .map((group) => group.toString(16))
    .join(':');
}
