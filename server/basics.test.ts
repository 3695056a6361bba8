import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { createAddressReader, isLoopback, limitKey, parseCidr } from './addresses.ts';
import { issueKey, keyPrefix } from './keys/format.ts';
import { createLog, redacted } from './log.ts';
import { decodeCursor, encodeCursor, readPage } from './paging.ts';

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

function linesOf(write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown>[] {
  const lines: string[] = [];
  write(createLog('debug', { write: (line) => void lines.push(line) }));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('the log', () => {
  it('logs the kind, the message, and the frames of an error, and none of its other properties', () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), {
      code: 'ECONNREFUSED',
      query: 'select 1',
    });
    const error = Object.assign(new TypeError('it failed', { cause }), {
      request: { headers: { authorization: 'x' } },
    });
    const [line] = linesOf((log) => log.error({ err: error }, 'failed'));
    type Told = { type: string; message: string; at: string[]; cause?: Told };
    const { type, message, at, cause: deeper, ...rest } = line!['err'] as Told;
    assert.deepEqual([type, message, rest], ['TypeError', 'it failed', {}]);
    assert.match(at[0]!, /basics\.test\.ts/);
    const { at: _, ...toldCause } = deeper!;
    assert.deepEqual(toldCause, {
      type: 'Error',
      code: 'ECONNREFUSED',
      message: 'connect ECONNREFUSED 127.0.0.1:5432',
    });
  });

  it('redacts secrets', () => {
    const hex = randomBytes(32).toString('hex');
    const secrets = [
      issueKey('ck_live', randomBytes).key,
      issueKey('cs_live', randomBytes).key,
      `ck_operator_${randomBytes(32).toString('base64url')}`,
      // As one of 64 begins, each.
      `ck_operator_-${randomBytes(31).toString('base64url')}`,
      `ck_operator__${randomBytes(31).toString('base64url')}`,
      hex,
      `0x${hex}`,
      randomBytes(65).toString('hex'),
      randomBytes(100).toString('base64'),
    ];
    // A part of a token, too: all of one has the length of other long text.
    for (const owner of ['agent', 'operator', 'poster', 'session', 'agentSession', 'operatorSession'] as const)
      secrets.push(issueKey(keyPrefix(owner, true), randomBytes).key.slice(0, 60));
    for (const secret of secrets) {
      const text = redacted(`it said: "${secret}", and (${secret})`);
      assert.equal(text.includes(secret.slice(12, 40)), false, text);
      assert.match(text, /^it said: ".*", and \(.*\)$/);
    }
    assert.equal(redacted('Authorization: Bearer abc def'), 'Authorization: Bearer [redacted] def');
    assert.equal(redacted('postgres://me:secret@db:5432/x'), 'postgres://[redacted]@db:5432/x');
    const id = '01a1fd68-1a1d-7b89-b14d-8a21a36746c2';
    const address = '0x036cbd53842c5426634e7929541ec2318f3dcf7e';
    assert.equal(redacted(`row ${id} of ${address} failed`), `row ${id} of ${address} failed`);
    assert.equal(redacted('y '.repeat(5000)).length, 1000);
  });
});

describe('a cursor', () => {
  it('decodes to the position that it encodes', () => {
    const place = fc.record(
      {
        at: fc.date({ min: new Date(0), max: new Date(253_402_300_799_999), noInvalidDate: true }),
        id: fc.uuid(),
      },
      { noNullPrototype: true },
    );
    fc.assert(fc.property(place, (given) => assert.deepEqual(decodeCursor(encodeCursor(given)), given)));
  });

  it('is refused when malformed; a forged one is only another position', () => {
    for (const bad of ['', 'x', '!'.repeat(32), '_'.repeat(32), 'A'.repeat(31), 'A'.repeat(33)])
      assert.throws(() => decodeCursor(bad), { code: 'INVALID_PARAMETER' }, bad);
    assert.deepEqual(decodeCursor('A'.repeat(32)), { at: new Date(0), id: '00000000-0000-0000-0000-000000000000' });
  });

  it('is returned while more rows follow', async () => {
    const rows = [1, 2, 3].map((n) => ({ at: new Date(n), id: `00000000-0000-0000-0000-00000000000${n}` }));
    const pageOf = (limit: number) =>
      readPage(
        { limit },
        async (page) => rows.slice(0, page.limit),
        (row) => row,
      );
    assert.deepEqual(await pageOf(3), { rows, end: { has_more: false, next_cursor: null } });
    const page = await pageOf(2);
    assert.deepEqual([page.rows.length, page.end.has_more], [2, true]);
    assert.deepEqual(decodeCursor(page.end.next_cursor!), rows[1]);
  });
});
