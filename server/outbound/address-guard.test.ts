import assert from 'node:assert/strict';
import { BlockList } from 'node:net';
import test from 'node:test';
import fc from 'fast-check';
import { forbiddenIpv4, forbiddenIpv6, isForbiddenAddress, literalAddress, addressRangeOf } from './address-guard.ts';

test('forbids the first and last address of each special range, and judges their neighbors separately', () => {
  for (const range of forbiddenIpv4) {
    const { first, last } = ends(range);
    for (const value of [first, last]) assert.ok(isForbiddenAddress(dotted(value)), `${dotted(value)} of ${range}`);
  }
  const neighbours = ['9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0'];
  const more = ['169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.0.1.0', '192.167.255.255'];
  const last = [
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '168.63.129.15',
    '1.0.0.0',
    '8.8.8.8',
  ];
  for (const address of [...neighbours, ...more, ...last]) assert.ok(!isForbiddenAddress(address), address);
});

test('allows only global unicast IPv6 outside special ranges', () => {
  const forbidden = [
    '::',
    '::1',
    '::7f00:1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::7f00:1',
    '100::1',
    '100:0:0:1::1',
    '2001::1',
    '2001:0:7f00:1::',
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
    '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:a9fe:a9fe::1',
    '2620:4f:8000::1',
    '3fff::1',
    '3fff:fff:ffff::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '2a00:1450:4001::5efe:7f00:1',
    '2a00:1450:4001::200:5efe:7f00:1',
  ];
  for (const address of forbidden) assert.ok(isForbiddenAddress(address), address);
  const allowed = [
    '2000::1',
    '2001:200::1',
    '2001:4860:4860::8888',
    '2003::1',
    '2606:4700::1',
    '3ffe:ffff::1',
    '3fff:1000::1',
  ];
  for (const address of allowed) assert.ok(!isForbiddenAddress(address), address);
});

test('forbids text that is not a plain address', () => {
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

test('allows only loopback in development', () => {
  for (const address of ['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1']) {
    assert.ok(!isForbiddenAddress(address, true), address);
    assert.ok(isForbiddenAddress(address), address);
  }
  for (const address of ['10.0.0.1', '0.0.0.0', '169.254.169.254', '::ffff:127.0.0.1', 'fe80::1', '::', '192.168.0.1'])
    assert.ok(isForbiddenAddress(address, true), address);
});

test('agrees with the block list of Node on any address', () => {
  const list = new BlockList();
  for (const range of [...forbiddenIpv4, ...forbiddenIpv6]) {
    const [address = '', bits] = range.split('/');
    list.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4');
  }
  const global = new BlockList();
  global.addSubnet('2000::', 3, 'ipv6');
  fc.assert(
    fc.property(fc.ipV4(), (address) => isForbiddenAddress(address) === list.check(address)),
    { numRuns: 2000 },
  );
  const globalV6 = fc.tuple(
    fc.integer({ min: 0x1f00, max: 0x40ff }),
    fc.array(fc.nat(0xffff), { minLength: 7, maxLength: 7 }),
  );
  fc.assert(
    fc.property(globalV6, ([first, rest]) => {
      // Node's list does not know the ISATAP marker.
      if ((rest[3] ?? 0) === 0 || (rest[3] ?? 0) === 0x200) return true;
      const address = [first, ...rest].map((group) => group.toString(16)).join(':');
      return isForbiddenAddress(address) === (!global.check(address, 'ipv6') || list.check(address, 'ipv6'));
    }),
    { numRuns: 2000 },
  );
});

test('finds one address in every URL spelling of an IPv4 literal', () => {
  const spellings = [
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '127.1',
    '0x7f.1',
    '127.0.1',
    '127.0.0.1.',
  ];
  for (const spelling of [...spellings, '１２７.0.0.1', '127%2e0.0.1', '127。0。0。1'])
    assert.equal(literalAddress(new URL(`https://${spelling}/`).hostname), '127.0.0.1', spelling);
  assert.equal(literalAddress(new URL('https://[::FFFF:127.0.0.1]/').hostname), '::ffff:7f00:1');
  assert.equal(literalAddress('example.com'), null);
});

test('groups addresses into networks of /24 and /48', () => {
  assert.equal(addressRangeOf('203.0.113.77'), '203.0.113.0/24');
  assert.equal(addressRangeOf('2a00:1450:4001:81b::200e'), '2a00:1450:4001::/48');
  assert.equal(addressRangeOf('2a00::1'), '2a00:0:0::/48');
  assert.throws(() => addressRangeOf('example.com'), TypeError);
});

function ends(range: string): { first: number; last: number } {
  const [address = '', bits] = range.split('/');
  const first = address.split('.').reduce((value, part) => value * 256 + Number(part), 0);
  return { first, last: first + 2 ** (32 - Number(bits)) - 1 };
}

function dotted(value: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
}
