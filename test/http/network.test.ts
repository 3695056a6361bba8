import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { getAddress } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { readConfig } from '../../server/config.ts';
import { listen } from '../../server/http/server.ts';
import { createService } from '../../server/service.ts';
import { call, newPayer } from '../support/clients/client.ts';
import { checkAnswer, notSeen } from '../support/clients/check-answer.ts';
import { codeIs } from '../support/clients/entries.ts';
import { ledger, openProject, registerAgent, registerPoster } from '../support/clients/journey.ts';
import { connectMcp } from '../support/mcp/mcp.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const world = await startWorld();
const { url, service, errors, operatorKey } = world;
const address = privateKeyToAddress(generatePrivateKey());
const goodAgent = {
  agent_name: 'Ada',
  description: 'An agent that enters competitions to test the service.',
  specializations: ['logo-design'],
};
const mint = (body: object) => call(url, 'POST', '/dev/faucet', { body });

const closers: (() => Promise<void>)[] = [];
after(async () => {
  for (const close of closers) await close();
});

/** Starts the same service with other settings next to the first. */
async function beside(change: (deps: typeof service.deps) => Partial<typeof service.deps>): Promise<string> {
  const other = createService({ ...service.deps, ...change(service.deps) }, { operatorKey });
  const listener = await listen(other.app, { host: '127.0.0.1', port: 0 });
  closers.push(async () => {
    await listener.close(0);
    other.app.stop();
  });
  return `http://127.0.0.1:${listener.port}`;
}

describe('GET /network', () => {
  it('publishes where payments are made, below the prefix and above it', async () => {
    const { status, body } = await call(url, 'GET', '/network');
    assert.equal(status, 200);
    assert.deepEqual(body.data, {
      network: 'eip155:84532',
      chain_id: 84532,
      usdc: { address: '0x036CbD53842c5426634e7929541eC2318f3dCF7e', name: 'USDC', version: '2', decimals: 6 },
      pay_to: getAddress(service.deps.payTo),
      facilitator: 'in-process',
      licences_url: `${url}/api/v1/licences`,
      terms_url: null,
      terms_version: null,
      privacy_url: null,
      imprint_url: null,
      contact_url: null,
      sends_email: false,
      development: true,
      rpc_url: world.chain.rpcUrl,
    });
    assert.deepEqual(((await (await fetch(`${url}/network`)).json()) as { data: unknown }).data, body.data);
  });

  it('shows the legal texts of the operator, and each registration records the version of the terms', async () => {
    const { legal } = readConfig({
      LICENCES_URL: 'https://legal.example/licences/',
      TERMS_URL: 'https://legal.example/terms',
      TERMS_VERSION: '2026-11-01',
      PRIVACY_URL: 'https://legal.example/privacy',
      CONTACT_URL: 'mailto:help@legal.example',
    });
    const other = await beside(({ config }) => ({ config: { ...config, legal } }));
    const { data } = (await call(other, 'GET', '/network')).body;
    const { licences_url, terms_url, terms_version, privacy_url, contact_url } = data;
    assert.deepEqual(
      { licencesUrl: licences_url, termsUrl: terms_url, termsVersion: terms_version },
      { licencesUrl: legal.licencesUrl, termsUrl: legal.termsUrl, termsVersion: legal.termsVersion },
    );
    assert.deepEqual([privacy_url, contact_url], [legal.privacyUrl, legal.contactUrl]);
    const agent = await call(other, 'POST', '/agents/create', { body: goodAgent });
    const poster = await call(other, 'POST', '/posters/create', { body: { poster_name: 'Test poster' } });
    for (const { body } of [agent, poster])
      assert.deepEqual([body.data.terms_url, body.data.terms_version], [legal.termsUrl, '2026-11-01']);
    const wallet = newPayer();
    const { message } = (await call(other, 'POST', '/posters/session/challenge', { body: { address: wallet.address } }))
      .body.data;
    const signature = await wallet.account.signMessage({ message });
    const headers = { origin: url };
    const signedIn = await call(other, 'POST', '/posters/session', { headers, body: { message, signature } });
    const { db } = service.deps;
    const recorded = await db<{ version: string }[]>`
      select terms_version as version from agents where id = ${agent.body.data.agentId}
      union all
      select terms_version from posters where id in (${poster.body.data.posterId}, ${signedIn.body.data.poster.id})`;
    assert.deepEqual(
      recorded.map(({ version }) => version),
      ['2026-11-01', '2026-11-01', '2026-11-01'],
    );
  });

  it('refuses terms without a version, and addresses that are no pages', () => {
    for (const [env, problem] of [
      [{ TERMS_URL: 'https://legal.example/terms' }, /TERMS_VERSION: missing beside TERMS_URL/],
      [{ TERMS_VERSION: '1' }, /TERMS_URL: missing beside TERMS_VERSION/],
      [{ PRIVACY_URL: 'javascript:alert(1)' }, /PRIVACY_URL: /],
      [{ CONTACT_URL: 'ftp://legal.example' }, /CONTACT_URL: /],
    ] as const)
      assert.throws(() => readConfig(env), problem);
  });

  it('refuses an invalid Host', async () => {
    const raw = request(`${url}/api/v1/network`, { headers: { host: 'exa mple/..' } }).end();
    const [response] = (await once(raw, 'response')) as [IncomingMessage];
    const body: unknown = JSON.parse(await text(response));
    const answer = {
      status: response.statusCode!,
      headers: new Headers(response.headers as Record<string, string>),
      body,
    };
    checkAnswer('GET', '/network', answer);
    codeIs(answer, 400, 'VALIDATION_ERROR', /^Validation failed: request: the URL or the Host header/);
  });

  it('hides the node outside of a development start', async () => {
    const other = await beside(({ config }) => ({
      config: { ...config, development: false },
      developmentRpcUrl: undefined,
    }));
    const { data } = (await call(other, 'GET', '/network')).body;
    assert.deepEqual([data.development, 'rpc_url' in data], [false, false]);
  });
});

describe('POST /dev/faucet', () => {
  it('mints test USDC', async () => {
    const { status, body } = await mint({ address, amount_usdc: '2.5' });
    assert.equal(status, 200);
    assert.deepEqual(
      [body.data.address, body.data.amount_micro, body.data.balance_micro],
      [address.toLowerCase(), 2_500_000, 2_500_000],
    );
    assert.equal((await mint({ address, amount_usdc: 0.000001 })).body.data.balance_micro, 2_500_001);
  });

  it('refuses invalid addresses and amounts, and the treasury', async () => {
    for (const amount_usdc of [0, -1, 'much', 1_000_001, 0.0000001, null])
      assert.match((await mint({ address, amount_usdc })).body.error.message, /amount_usdc: /);
    for (const other of ['0x1', address.slice(2), 7, `${address}0`])
      assert.match((await mint({ address: other, amount_usdc: 1 })).body.error.message, /address: /);
    assert.equal((await mint({ address: service.deps.payTo, amount_usdc: 1 })).status, 400);
    assert.ok((await ledger(world)).chain_matches);
  });

  it('does not exist where the money is real', async () => {
    const production = await beside(({ config }) => ({ config: { ...config, development: false }, faucet: null }));
    const foreignChain = await beside(() => ({ faucet: null }));
    for (const other of [production, foreignChain]) {
      const { status, body } = await call(other, 'POST', '/dev/faucet', { body: { address, amount_usdc: 1 } });
      assert.deepEqual([status, body.error.code, body.error.message], [404, 'NOT_FOUND', 'No such route.']);
      for (const { key } of [await registerAgent(other), await registerPoster(other)]) {
        const client = await connectMcp(other, { key });
        assert.doesNotMatch(client.getInstructions() ?? '', /fund_wallet/);
        const { tools } = await client.listTools();
        assert.equal(
          tools.some(({ name }) => name === 'fund_wallet'),
          false,
        );
        const args = { address, amount_usdc: 1 };
        await assert.rejects(client.callTool({ name: 'fund_wallet', arguments: args }), /Unknown tool: fund_wallet/);
        await client.close();
      }
    }
  });
});

describe('GET /operator/ledger', () => {
  it('shows balanced books that match the chain', async () => {
    assert.deepEqual(
      await ledger(world).then(({ balanced, chain_matches, problems }) => ({ balanced, chain_matches, problems })),
      { balanced: true, chain_matches: true, problems: [] },
    );
    const { id } = await openProject(world, { prizeUsdc: 4 });
    const { accounts, unknown_payments } = await ledger(world);
    assert.equal(unknown_payments, 0);
    assert.equal(accounts.find(({ account }) => account.includes(id))?.balance_micro, 4_000_000);
  });
});

describe('beside the API', () => {
  it('/healthz and /readyz report that the service and its dependencies work', async () => {
    const read = async (target: string) => {
      const response = await fetch(target);
      return [response.status, await response.json()];
    };
    assert.deepEqual(await read(`${url}/healthz`), [200, { status: 'ok' }]);
    assert.deepEqual(await read(`${url}/readyz`), [200, { ready: true, parts: { database: true } }]);
    const parts = { database: true, storage: true, chain: true, facilitator: true };
    assert.deepEqual(await read(`${url}/healthz?deep`), [200, { status: 'ok', parts }]);
    const broken = await beside(({ storage }) => ({
      storage: { ...storage, check: () => Promise.reject(new Error('gone')) },
    }));
    // A process without storage still serves most requests, so a load balancer keeps it.
    assert.deepEqual(await read(`${broken}/readyz`), [200, { ready: true, parts: { database: true } }]);
    assert.deepEqual(await read(`${broken}/healthz?deep`), [
      503,
      { status: 'degraded', parts: { ...parts, storage: false } },
    ]);
    assert.deepEqual(await read(`${broken}/healthz`), [200, { status: 'ok' }]);
    const metrics = await (await fetch(`${broken}/metrics`)).text();
    assert.match(metrics, /^concours_dependency_up\{part="storage"\} 0$/m);
    assert.match(metrics, /^concours_dependency_up\{part="chain"\} 1$/m);
    assert.match(metrics, /^concours_dependency_probe_seconds_count\{part="facilitator"\} 1$/m);
  });

  it('/version and the metrics tell the version of the code', async () => {
    const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    assert.deepEqual(await (await fetch(`${url}/version`)).json(), { version });
    assert.ok((await (await fetch(`${url}/metrics`)).text()).includes(`concours_build_info{version="${version}"} 1`));
  });

  it('/docs shows the reference with only this service’s files', async () => {
    const page = await fetch(`${url}/docs`);
    const html = await page.text();
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'; script-src 'self'/);
    const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, target]) => target!);
    assert.deepEqual(
      named.filter((target) => !/^[/#]/.test(target)),
      [],
    );
    const linked = named.filter((target) => /\.(?:css|js)$/.test(target));
    assert.equal(linked.length, 6);
    for (const target of linked) {
      assert.match(target, /^\/docs\//);
      const asset = await fetch(url + target);
      assert.deepEqual([asset.status, asset.headers.get('x-content-type-options')], [200, 'nosniff'], target);
      assert.ok((await asset.arrayBuffer()).byteLength > 100);
    }
    for (const target of ['/docs/package.json', '/docs/..%2Fpackage.json', '/docs/__proto__', '/docs/'])
      assert.equal((await fetch(url + target)).status, 404, target);
  });
});

it('the tests received every answer that these operations can give', () => {
  assert.deepEqual(notSeen('Network', 'getLedger'), []);
  assert.deepEqual(errors, []);
});
