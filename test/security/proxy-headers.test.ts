import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import { listen } from '../../server/http/server.ts';
import { createService } from '../../server/service.ts';
import { call } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import { registerAgent } from '../support/clients/journey.ts';
import { told } from '../support/clients/limit-headers.ts';
import { exchange } from '../support/clients/raw-http.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// A development start behind a proxy would treat every client of the proxy as this machine: no limits, and test money.

const { url, operatorKey, service, errors } = await startWorld();
const { key } = await registerAgent(url);
const PROXY_HEADERS = {
  Forwarded: 'for=198.51.100.1',
  'X-Forwarded-Host': 'market.example',
  'x-forwarded-proto': 'https',
  'X-REAL-IP': '198.51.100.1',
};
/** One answered by the reader, one by the router, and some beside the API. */
const PATHS = [
  '/api/v1/agents/me',
  '/api/v1/agents/projects/x',
  '/network',
  '/healthz',
  '/metrics',
  '/docs',
  '/nowhere',
];

afterEach(() => assert.deepEqual(errors, []));

/** Sends a request with these lines as its head, and returns the only answer. */
async function send(to: string, path: string, lines: string[]) {
  const head = [`GET ${path} HTTP/1.1`, ...lines, `Authorization: Bearer ${key}`, 'Connection: close'];
  const answers = await exchange(to, `${head.join('\r\n')}\r\n\r\n`);
  assert.equal(answers.length, 1, path);
  return answers[0]!;
}

const hostOf = (to: string) => `Host: ${new URL(to).host}`;

describe('a development start', () => {
  it('refuses requests with a header that only a proxy adds, on every path', async () => {
    for (const [name, value] of Object.entries(PROXY_HEADERS))
      for (const path of PATHS)
        codeIs(
          await send(url, path, [hostOf(url), `${name}: ${value}`]),
          400,
          'VALIDATION_ERROR',
          new RegExp(
            `request: a development start serves only its own machine, and ${name.toLowerCase()} shows a proxy`,
          ),
        );
  });

  it('hands out no test money to a client of a proxy', async () => {
    const body = { address: `0x${'a'.repeat(40)}` };
    const headers = { 'x-forwarded-for': '198.51.100.1', 'x-real-ip': '198.51.100.1' };
    codeIs(await call(url, 'POST', '/dev/faucet', { body, headers }), 400, 'VALIDATION_ERROR', /x-real-ip/);
  });

  it('accepts X-Forwarded-For, which agents send themselves', async () => {
    const answer = await send(url, '/api/v1/agents/me', [hostOf(url), 'X-Forwarded-For: 198.51.100.1']);
    assert.equal(answer.status, 200);
  });
});

describe('a production start', async () => {
  const config = { ...service.deps.config, development: false };
  const production = createService({ ...service.deps, config }, { operatorKey });
  const listener = await listen(production.app, { host: '127.0.0.1', port: 0 });
  const at = `http://127.0.0.1:${listener.port}`;
  after(async () => {
    await listener.close(0);
    production.app.stop();
  });

  it('accepts these headers and ignores them: the address of the socket counts', async () => {
    for (let left = 9; left >= 8; left -= 1) {
      const headers = { forwarded: `for=198.51.100.${left}`, 'x-real-ip': `198.51.100.${left}` };
      const answer = await call(at, 'POST', '/agents/create', { headers, body: {} });
      assert.deepEqual([answer.status, told(answer).remaining], [400, left]);
    }
  });

  it('refuses two Host headers, as every start does', async () => {
    for (const to of [at, url])
      for (const path of PATHS)
        for (const second of ['Host: market.example', hostOf(to), 'HOST: ', 'hOsT: a, b'])
          codeIs(
            await send(to, path, [hostOf(to), 'Accept: */*', second]),
            400,
            'VALIDATION_ERROR',
            /request: there are two Host headers/,
          );
  });
});
