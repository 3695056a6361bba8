import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { operations } from '../../contract/operations.ts';
import { everyOperation } from '../support/clients/check-answer.ts';
import { call } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import { refusedUntil, told } from '../support/clients/limit-headers.ts';
import { exchange } from '../support/clients/raw-http.ts';
import { callOperation, keyFor, newKeys } from '../support/clients/requests.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// This machine's own addresses act as the proxy, so that a test can send requests from other addresses.
const world = await startWorld({ env: { TRUSTED_PROXIES: '127.0.0.0/8' } });
const { url, errors } = world;
/** A service that trusts another proxy, so it does not believe the test's headers. */
const behindAnother = await startWorld({ env: { TRUSTED_PROXIES: '203.0.113.0/24' } });
const { getMe, listPublicEntries } = operations;

describe('limits of an address', () => {
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
  const register = (address: string, path = '/agents/create') =>
    call(url, 'POST', path, { ...from(address), body: {} });

  it('allow 10 registrations an hour, agents and posters together, valid or not', async () => {
    for (let left = 9; left >= 0; left -= 1) {
      const answer = await register('198.51.100.1', left % 2 ? '/agents/create' : '/posters/create');
      assert.deepEqual([answer.status, told(answer).remaining], [400, left]);
    }
    const exceeded = await register('198.51.100.1');
    codeIs(exceeded, 429, 'RATE_LIMIT_EXCEEDED', /registrations from this address/);
    refusedUntil(world, exceeded, 'registration', 10, 3600);
    // Entries that a client writes before the proxy's own entry have no effect. A neighboring address has its own
    // limit.
    assert.equal((await register('203.0.113.99, 198.51.100.1')).status, 429);
    assert.equal((await register('198.51.100.2')).status, 400);
    assert.equal((await register('::ffff:198.51.100.1')).status, 429);
    assert.equal((await register('::ffff:c633:6401')).status, 429);
  });

  it('read a repeated header as one list, whose right-most entry is the proxy’s', async () => {
    const target = new URL(`${url}/api/v1/agents/create`);
    const head = [
      `POST ${target.pathname} HTTP/1.1`,
      `Host: ${target.host}`,
      'X-Forwarded-For: 198.51.100.77',
      'X-Forwarded-For: 198.51.100.1',
      'Content-Type: application/json',
      'Content-Length: 2',
      'Connection: close',
    ];
    const [answer] = await exchange(url, `${head.join('\r\n')}\r\n\r\n{}`);
    assert.equal(answer?.status, 429);
    assert.equal(told(await register('198.51.100.77')).remaining, 9);
  });

  it('use the socket’s address unless a configured proxy wrote the header', async () => {
    for (let time = 1; time <= 15; time += 1) {
      // Requests from other addresses would count. Requests from this machine do not count in a development start.
      for (const address of ['198.51.100.1', '203.0.113.5, 198.51.100.1', '198.51.100.1, 203.0.113.5']) {
        const headers = { 'x-forwarded-for': address };
        const answer = await call(behindAnother.url, 'POST', '/agents/create', { headers, body: {} });
        assert.deepEqual([answer.status, told(answer).remaining], [400, 10], address);
      }
    }
  });

  it('count an IPv6 /64 as one subscriber', async () => {
    for (let host = 1; host <= 10; host += 1) assert.equal((await register(`2001:db8:7:7::${host}`)).status, 400);
    assert.equal((await register('2001:db8:7:7:ffff::1')).status, 429);
    assert.equal((await register('2001:db8:7:8::1')).status, 400);
  });

  it('exempt this machine in a development start', async () => {
    for (let time = 1; time <= 30; time += 1) {
      const answer = await call(url, 'POST', '/agents/create', { body: {} });
      assert.deepEqual([answer.status, told(answer).remaining], [400, 10]);
    }
  });

  it('allow 120 reads a minute without a key, and exempt this machine in a development start', async () => {
    const read = (headers?: Record<string, string>) =>
      callOperation(url, listPublicEntries, headers ? { headers } : {});
    for (let left = 119; left >= 0; left -= 1) {
      const answer = await read({ 'x-forwarded-for': '198.51.100.5' });
      assert.deepEqual([answer.status, told(answer).remaining], [404, left]);
    }
    const exceeded = await read({ 'x-forwarded-for': '198.51.100.5' });
    codeIs(exceeded, 429, 'RATE_LIMIT_EXCEEDED', /reads from this address/);
    refusedUntil(world, exceeded, 'publicReads', 120, 60);
    assert.equal((await read({ 'x-forwarded-for': '198.51.100.6' })).status, 404);
    for (let time = 1; time <= 125; time += 1) assert.equal(told(await read()).remaining, 120);
  });

  it('allow 60 wrong keys a minute, and always let a right key pass', async () => {
    const keys = await newKeys(world);
    const guess = (address: string, spec = getMe) => callOperation(url, spec, { key: 'wrong', ...from(address) });
    for (let left = 59; left >= 0; left -= 1) {
      const answer = await guess('198.51.100.3');
      assert.deepEqual([answer.status, told(answer).remaining], [401, left]);
    }
    refusedUntil(world, await guess('198.51.100.3'), 'failedKeys', 60, 60);
    for (const spec of everyOperation.filter(({ auth }) => auth !== 'public')) {
      codeIs(
        await guess('198.51.100.3', spec as typeof getMe),
        429,
        spec.limitError ?? 'RATE_LIMIT_EXCEEDED',
        /invalid key/,
      );
      if (spec.limits?.includes('agentReads'))
        assert.ok((await callOperation(url, spec, { ...keyFor(spec, keys), ...from('198.51.100.3') })).status < 429);
    }
    // A missing key is not a guess.
    codeIs(await callOperation(url, getMe, from('198.51.100.3')), 401, 'UNAUTHORIZED');
    assert.equal((await guess('198.51.100.4')).status, 401);
    for (let time = 1; time <= 65; time += 1)
      assert.equal((await callOperation(url, getMe, { key: 'wrong' })).status, 401);
  });
});

it('logs no errors', () => {
  assert.deepEqual([...errors, ...behindAnother.errors], []);
});
