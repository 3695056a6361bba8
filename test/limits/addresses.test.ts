import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { operations } from '../../contract/operations.ts';
import { listen } from '../../server/http/server.ts';
import { createService } from '../../server/service.ts';
import { everyOperation } from '../support/clients/check-answer.ts';
import { call } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import { told } from '../support/clients/limit-headers.ts';
import { exchange } from '../support/clients/raw-http.ts';
import { callOperation, keyFor, newKeys } from '../support/clients/requests.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Limits by address: who counts as whom, behind a proxy, behind another proxy, and in a development start.

// This machine's own addresses act as the proxy, so that a test can send requests from other addresses.
const { url, service, operatorKey } = await startWorld({
  env: { TRUSTED_PROXIES: '127.0.0.0/8' },
  wrap: ({ config }) => ({ config: { ...config, limits: { ...config.limits, failedKeysPerMinute: 5 } } }),
});
const world = { url, operatorKey };
const { getMe } = operations;

/** Starts another service on the same parts, with other settings. */
async function serviceWith(change: Partial<typeof service.deps.config>): Promise<string> {
  const config = { ...service.deps.config, ...change };
  const other = createService({ ...service.deps, config }, { operatorKey });
  const listener = await listen(other.app, { host: '127.0.0.1', port: 0 });
  after(async () => {
    await listener.close(0);
    other.app.stop();
  });
  return `http://127.0.0.1:${listener.port}`;
}
const unproxied = await serviceWith({ trustedProxies: [] });
const production = await serviceWith({ trustedProxies: ['203.0.113.0/24'], development: false });

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
const register = (address: string, at = url) => call(at, 'POST', '/agents/create', { ...from(address), body: {} });

/** Sends a request with these lines as its head, and returns the only answer. */
async function send(to: string, method: string, path: string, lines: string[]) {
  const answers = await exchange(
    to,
    `${[`${method} ${path} HTTP/1.1`, ...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`,
  );
  assert.equal(answers.length, 1, path);
  return answers[0]!;
}
const hostOf = (to: string) => `Host: ${new URL(to).host}`;

describe('behind a proxy, the address', () => {
  it('is the one that the proxy wrote last; what a client writes before it has no effect', async () => {
    for (let left = 9; left >= 0; left -= 1) {
      const answer = await register(`203.0.113.${left}, 198.51.100.1`);
      assert.deepEqual([answer.status, told(answer).remaining], [400, left]);
    }
    codeIs(await register('198.51.100.1'), 429, 'RATE_LIMIT_EXCEEDED', /registrations from this address/);
    for (const spelling of ['::ffff:198.51.100.1', '::ffff:c633:6401'])
      codeIs(await register(spelling), 429, 'RATE_LIMIT_EXCEEDED');
    assert.equal(told(await register('198.51.100.2')).remaining, 9);
    // A repeated header is one list.
    const lines = [hostOf(url), 'X-Forwarded-For: 198.51.100.77', 'X-Forwarded-For: 198.51.100.1'];
    const answer = await send(url, 'POST', '/api/v1/agents/create', [...lines, 'Content-Length: 0']);
    assert.equal(answer.status, 429);
    assert.equal(told(await register('198.51.100.77')).remaining, 9);
  });

  it('is a /64 of IPv6', async () => {
    for (let host = 1; host <= 10; host += 1) assert.equal((await register(`2001:db8:7:7::${host}`)).status, 400);
    assert.equal((await register('2001:db8:7:7:ffff::1')).status, 429);
    assert.equal((await register('2001:db8:7:8::1')).status, 400);
  });

  it('of a guesser is refused after too many wrong keys, but a right key always passes', async () => {
    const keys = await newKeys(world);
    const guess = (spec = getMe) => callOperation(url, spec, { key: 'wrong', ...from('198.51.100.3') });
    for (let left = 4; left >= 0; left -= 1) assert.equal(told(await guess()).remaining, left);
    // One operation of each kind and each code.
    const kinds = Map.groupBy(everyOperation, ({ auth, limitError, limits }) => `${auth} ${limitError} ${limits?.[0]}`);
    for (const [spec] of kinds.values()) {
      if (!spec || spec.auth === 'public') continue;
      codeIs(await guess(spec as typeof getMe), 429, spec.limitError ?? 'RATE_LIMIT_EXCEEDED', /invalid key/);
      if (spec.limits?.includes('agentReads'))
        assert.ok((await callOperation(url, spec, { ...keyFor(spec, keys), ...from('198.51.100.3') })).status < 429);
    }
    // A missing key is not a guess.
    codeIs(await callOperation(url, getMe, from('198.51.100.3')), 401, 'UNAUTHORIZED');
  });
});

describe('without a proxy, the address', () => {
  it('is that of the socket, whatever a header says', async () => {
    for (const [index, address] of ['198.51.100.7', '203.0.113.5', '198.51.100.8, 203.0.113.5'].entries()) {
      const headers = { 'x-forwarded-for': address, forwarded: `for=${address}`, 'x-real-ip': address };
      const answer = await call(production, 'POST', '/agents/create', { headers, body: {} });
      assert.deepEqual([answer.status, told(answer).remaining], [400, 9 - index], address);
    }
  });

  it('of this machine has no limits in a development start', async () => {
    for (let time = 1; time <= 12; time += 1) {
      const answer = await register('198.51.100.1', unproxied);
      assert.deepEqual([answer.status, told(answer).remaining], [400, 10]);
    }
    for (let time = 1; time <= 7; time += 1)
      assert.equal((await callOperation(unproxied, getMe, { key: 'wrong' })).status, 401);
    assert.equal(told(await callOperation(unproxied, operations.listLeaderboard)).remaining, 120);
  });
});

describe('a development start behind a proxy that it does not know', () => {
  it('serves nobody: it would take every client of the proxy for this machine, and hand out test money', async () => {
    const headers = {
      Forwarded: 'for=198.51.100.1',
      'X-Forwarded-Host': 'market.example',
      'x-forwarded-proto': 'https',
      'X-REAL-IP': '198.51.100.1',
    };
    const paths = ['/api/v1/agents/me', '/api/v1/agents/projects/x', '/network', '/healthz', '/docs', '/nowhere'];
    for (const [name, value] of Object.entries(headers))
      for (const path of paths)
        codeIs(
          await send(unproxied, 'GET', path, [hostOf(unproxied), `${name}: ${value}`]),
          400,
          'VALIDATION_ERROR',
          new RegExp(`a development start serves only its own machine, and ${name.toLowerCase()} shows a proxy`),
        );
    const body = { address: `0x${'a'.repeat(40)}` };
    const faucet = await call(unproxied, 'POST', '/dev/faucet', { body, headers: { 'x-real-ip': '198.51.100.1' } });
    codeIs(faucet, 400, 'VALIDATION_ERROR', /x-real-ip/);
  });
});

it('every start refuses two Host headers', async () => {
  for (const to of [url, unproxied, production])
    for (const second of ['Host: market.example', hostOf(to), 'hOsT: a, b'])
      codeIs(
        await send(to, 'GET', '/api/v1/agents/me', [hostOf(to), 'Accept: */*', second]),
        400,
        'VALIDATION_ERROR',
        /there are two Host headers/,
      );
});
