import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAddressReader, isLoopback, limitKey, parseCidr } from './addresses.ts';

describe('addresses', () => {
  it('recognizes loopback in every spelling', () => {
    for (const address of [
      '127.0.0.1',
      '127.255.0.9',
      '::1',
      '0:0:0:0:0:0:0:1',
      '::ffff:127.0.0.1',
      '::FFFF:127.1.2.3',
    ])
      assert.equal(isLoopback(address), true, address);
    for (const address of [
      '128.0.0.1',
      '::',
      '::2',
      '::ffff:10.0.0.1',
      '2001:db8::1',
      '127.example.com',
      '',
      'localhost',
    ])
      assert.equal(isLoopback(address), false, address);
  });

  it('uses only the socket when no proxy is trusted', () => {
    const read = createAddressReader([]);
    assert.equal(read('203.0.113.9', '198.51.100.1'), '203.0.113.9');
    assert.equal(read('::ffff:203.0.113.9', '198.51.100.1'), '203.0.113.9');
    assert.equal(read('2001:db8::1', undefined), '2001:db8::1');
  });

  it('uses the right-most address that is not a trusted proxy', () => {
    const read = createAddressReader(['10.0.0.0/8', '2001:db8:1::/48']);
    assert.equal(read('10.0.0.1', '198.51.100.1'), '198.51.100.1');
    assert.equal(read('10.0.0.1', '1.1.1.1, 198.51.100.1, 10.2.3.4'), '198.51.100.1');
    assert.equal(read('::ffff:10.0.0.1', '::ffff:198.51.100.1'), '198.51.100.1');
    assert.equal(read('2001:db8:1::5', '2001:db8:2::7'), '2001:db8:2::7');
    // From elsewhere the header is only a claim.
    assert.equal(read('203.0.113.9', '198.51.100.1'), '203.0.113.9');
    // A text that is no address ends the chain: its author could have written anything left of it.
    assert.equal(read('10.0.0.1', '198.51.100.1, unknown'), '10.0.0.1');
    assert.equal(read('10.0.0.1', ''), '10.0.0.1');
    assert.equal(read('10.0.0.1', '10.1.1.1'), '10.0.0.1');
  });

  it('counts an IPv6 /64 as one subscriber', () => {
    assert.equal(limitKey('203.0.113.9'), '203.0.113.9');
    const same = ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::', '2001:db8:1:2::ffff', '2001:DB8:1:2:0:0:0:1'];
    assert.deepEqual(new Set(same.map((address) => limitKey(address))), new Set(['2001:db8:1:2::/64']));
    assert.notEqual(limitKey('2001:db8:1:3::1'), limitKey('2001:db8:1:2::1'));
    assert.equal(limitKey('::1'), '0:0:0:0::/64');
    assert.equal(limitKey('2001:db8::1'), limitKey('2001:db8:0:0:9::'));
  });

  it('reads CIDRs and refuses other text', () => {
    assert.deepEqual(parseCidr('10.0.0.0/8'), { address: '10.0.0.0', prefix: 8, family: 'ipv4' });
    assert.deepEqual(parseCidr('2001:db8::/32'), { address: '2001:db8::', prefix: 32, family: 'ipv6' });
    assert.deepEqual(parseCidr('10.0.0.1'), { address: '10.0.0.1', prefix: 32, family: 'ipv4' });
    for (const text of ['', '10.0.0/8', '10.0.0.0/33', '::/129', '10.0.0.0/-1', '10.0.0.0/8/8', '10.0.0.0/', 'all'])
      assert.equal(parseCidr(text), null, text);
  });
});
