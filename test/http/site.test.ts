import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { after, describe, it } from 'node:test';
import { parseAtomFeed, parseJsonFeed } from 'feedsmith';
import { parseSitemap } from 'sitemap';
import { getAddress } from 'viem';
import { QUOTA } from '../../console/entering/quota.ts';
import { readConfig } from '../../server/config.ts';
import { DAILY_QUOTA } from '../../server/agents/accounts/settings.ts';
import { listen } from '../../server/http/server.ts';
import { createService } from '../../server/service.ts';
import { call, newPayer } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import {
  createIntent,
  expectStatus,
  ledger,
  openProject,
  registerAgent,
  requestUpload,
} from '../support/clients/journey.ts';
import { connectMcp } from '../support/mcp/mcp.ts';
import { SHARED_SETTINGS } from '../support/worlds/shared-service.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// What the settings of a site change: its name and legal texts, real money, and a part that is broken.

const NAME = 'Café “Créatif” & <Söhne>';
const SHOWN = 'Café “Créatif” &amp; &lt;Söhne&gt;';
const world = await startWorld({
  console: true,
  env: {
    ...SHARED_SETTINGS.env,
    SITE_NAME: NAME,
    SITE_ACCENT: '#1f5fa8',
    CONTACT_URL: 'mailto:desk@example.org',
  },
});
const { url, clock, service, operatorKey } = world;
const { deps } = service;
const HOSTILE = 'A mark </title><script>alert(1)</script> & "x"';
const project = await openProject(world, { fields: { title: HOSTILE } });
await openProject(world);

/** Starts the same service with other settings next to the first. */
async function beside(change: (given: typeof deps) => Partial<typeof deps>): Promise<string> {
  const other = createService({ ...deps, ...change(deps) }, { operatorKey });
  const listener = await listen(other.app, { host: '127.0.0.1', port: 0 });
  after(() => listener.close(0));
  after(() => other.app.stop());
  return `http://127.0.0.1:${listener.port}`;
}

async function page(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(url + path, { headers: { accept: 'text/html', ...headers } });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('GET /network', () => {
  it('publishes where payments are made, with checksummed addresses as in the 402', async () => {
    // A check of the books against the chain, after two prizes were paid in.
    assert.deepEqual((await ledger(world)).problems, []);
    const { data } = expectStatus(await call(url, 'GET', '/network'), 200).body;
    assert.deepEqual(data, {
      network: 'eip155:84532',
      chain_id: 84532,
      usdc: { address: '0x036CbD53842c5426634e7929541eC2318f3dCF7e', name: 'USDC', version: '2', decimals: 6 },
      pay_to: getAddress(deps.payTo),
      accepting_payments: true,
      held_micro: await deps.chain.balanceMicro(deps.payTo, data.checked_block),
      owed_micro: data.held_micro,
      checked_block: data.checked_block,
      checked_at: data.checked_at,
      facilitator: 'in-process',
      licences_url: `${url}/docs/rights`,
      terms_url: null,
      terms_version: null,
      privacy_url: null,
      imprint_url: null,
      contact_url: 'mailto:desk@example.org',
      cancel_fee_micro: 100_000,
      sends_email: false,
      development: true,
      rpc_url: world.chain.rpcUrl,
    });
    assert.ok(data.held_micro > 0 && data.checked_block > 0);
    const above = (await (await fetch(`${url}/network`)).json()) as { data: unknown };
    assert.deepEqual(above.data, data);
    const { key } = await registerAgent(url);
    const { id: submissionId } = await createIntent(url, key, project.id);
    const unpaid = await requestUpload(url, { key, projectId: project.id, submissionId, sizeBytes: 100 });
    const [accepted] = unpaid.body.accepts as { asset: string; payTo: string }[];
    assert.deepEqual([accepted?.asset, accepted?.payTo], [data.usdc.address, data.pay_to]);
  });

  it('shows the legal texts of the operator, and each registration records the version of the terms', async () => {
    const { legal } = readConfig({
      TERMS_URL: 'https://legal.example/terms',
      TERMS_VERSION: '2026-11-01',
      PRIVACY_URL: 'https://legal.example/privacy',
    });
    const other = await beside(({ config }) => ({ config: { ...config, legal } }));
    const { terms_url, terms_version, privacy_url } = (await call(other, 'GET', '/network')).body.data;
    assert.deepEqual([terms_url, terms_version, privacy_url], [legal.termsUrl, '2026-11-01', legal.privacyUrl]);
    const description = 'An agent that enters competitions to test the service.';
    const body = { agent_name: 'Ada', description, specializations: ['logo-design'] };
    const agent = (await call(other, 'POST', '/agents/create', { body })).body.data;
    const poster = (await call(other, 'POST', '/posters/create', { body: { poster_name: 'Test poster' } })).body.data;
    for (const { terms_url: link, terms_version: version } of [agent, poster])
      assert.deepEqual([link, version], [legal.termsUrl, '2026-11-01']);
    const { account, address } = newPayer();
    const asked = await call(other, 'POST', '/posters/session/challenge', { body: { address } });
    const { message } = asked.body.data;
    const signed = { message, signature: await account.signMessage({ message }) };
    const signedIn = await call(other, 'POST', '/posters/session', { headers: { origin: url }, body: signed });
    const recorded = await deps.db<{ version: string }[]>`
      select terms_version as version from agents where id = ${agent.agentId}
      union all
      select terms_version from posters where id in (${poster.posterId}, ${signedIn.body.data.poster.id})`;
    assert.deepEqual(
      recorded.map(({ version }) => version),
      ['2026-11-01', '2026-11-01', '2026-11-01'],
    );
  });
});

describe('a service with real money', () => {
  it('has no faucet, also not over MCP, and hides the node', async () => {
    const production = await beside(({ config }) => ({
      config: { ...config, development: false },
      developmentRpcUrl: undefined,
      faucet: null,
    }));
    const { data } = (await call(production, 'GET', '/network')).body;
    assert.deepEqual([data.development, 'rpc_url' in data], [false, false]);
    const args = { address: newPayer().address, amount_usdc: 1 };
    codeIs(await call(production, 'POST', '/dev/faucet', { body: args }), 404, 'NOT_FOUND', /^No such route\.$/);
    const client = await connectMcp(production, { key: (await registerAgent(production)).key });
    assert.doesNotMatch(client.getInstructions() ?? '', /fund_wallet/);
    const { tools } = await client.listTools();
    assert.ok(!tools.some(({ name }) => name === 'fund_wallet'));
    await assert.rejects(client.callTool({ name: 'fund_wallet', arguments: args }), /Unknown tool: fund_wallet/);
    await client.close();
  });
});

describe('the health of the service', () => {
  it('names the parts that work, and stays ready for a load balancer without storage', async () => {
    const read = async (target: string) => {
      const response = await fetch(target);
      return [response.status, await response.json()];
    };
    const ready = { ready: true, parts: { database: true } };
    const parts = { database: true, storage: true, chain: true, facilitator: true };
    assert.deepEqual(await read(`${url}/readyz`), [200, ready]);
    assert.deepEqual(await read(`${url}/healthz?deep`), [200, { status: 'ok', parts }]);
    const broken = await beside(({ storage }) => ({
      storage: { ...storage, check: () => Promise.reject(new Error('gone')) },
    }));
    assert.deepEqual(await read(`${broken}/readyz`), [200, ready]);
    const degraded = { status: 'degraded', parts: { ...parts, storage: false } };
    assert.deepEqual(await read(`${broken}/healthz?deep`), [503, degraded]);
    assert.deepEqual(await read(`${broken}/healthz`), [200, { status: 'ok' }]);
    const metrics = await (await fetch(`${broken}/metrics`)).text();
    assert.match(metrics, /^concours_dependency_up\{part="storage"\} 0$/m);
    assert.match(metrics, /^concours_dependency_up\{part="chain"\} 1$/m);
    const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    assert.deepEqual(await read(`${url}/version`), [200, { version }]);
    assert.ok(metrics.includes(`concours_build_info{version="${version}"} 1`));
    // The dashboard and the alerts name metrics that exist, and each alert names a paragraph that exists.
    const textOf = async (file: string) => await readFile(new URL(`../../${file}`, import.meta.url), 'utf8');
    const rules = await textOf('deploy/prometheus-rules.yml');
    const named = new Set((rules + (await textOf('deploy/grafana-dashboard.json'))).match(/concours_\w+/g));
    for (const name of named)
      // Exported only with Redis.
      if (!name.startsWith('concours_limit_store'))
        assert.match(metrics, new RegExp(`^# HELP ${name.replace(/_bucket$/, '')} `, 'm'));
    const headings = [...(await textOf('docs/runbooks.md')).matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => text);
    const anchors = headings.map((text) =>
      text
        .toLowerCase()
        .replaceAll(/[^a-z -]/g, '')
        .replaceAll(' ', '-'),
    );
    for (const [, anchor = ''] of rules.matchAll(/runbook: docs\/runbooks\.md#(\S+)/g))
      assert.ok(anchors.includes(anchor), anchor);
  });
});

describe('the name of the site', () => {
  const LINK = '/mail/verify/x';

  it('stands on each page outside the console, with the network of its money', async () => {
    for (const path of ['/docs', '/docs/agents', '/docs/runbooks', LINK]) {
      const { status, text } = await page(path);
      assert.equal(status, 200);
      assert.match(text, new RegExp(`<title>[^<]+ · ${SHOWN}</title>`));
      assert.match(text, new RegExp(`<a class="home" href="/" aria-label="${SHOWN}: market">.+<span>${SHOWN}</span>`));
      assert.match(text, /<p class="network test">Test network, no real money<\/p>/);
      assert.ok(!text.includes('<Söhne>'));
    }
    assert.match((await page('/docs/guide.css')).text, /--accent: light-dark\(#1f5fa8, #[0-9a-f]{6}\)/);
  });

  it('stands in the head of a project with hostile text, in the manifest, and in the contact of security', async () => {
    const { status, text } = await page(`/projects/${project.id}`);
    assert.equal(status, 200);
    const title = 'A mark &lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;x&quot;';
    assert.ok(text.includes(`<title>${title} · ${SHOWN}</title>`));
    const manifest = (await (await fetch(`${url}/manifest.webmanifest`)).json()) as { name: string };
    assert.equal(manifest.name, NAME);
    const security = (await page('/.well-known/security.txt')).text;
    assert.match(security, /^Contact: mailto:desk@example\.org$/m);
    assert.ok(new Date(/^Expires: (.+)$/m.exec(security)?.[1] ?? '') > clock.now());
    for (const path of ['/projects/x', `/agents/${project.id}`, '/nothing']) {
      const missing = await page(path);
      assert.deepEqual([missing.status, /<title>([^·]+) ·/.exec(missing.text)?.[1]], [404, 'Page not found'], path);
    }
  });

  it('a page behind a link in an email has the language of the reader, no script, and no referrer', async () => {
    for (const [headers, language, title] of [
      [{}, 'en', 'Confirm your address'],
      [{ 'accept-language': 'de-AT,en;q=0.5' }, 'de', 'Adresse bestätigen'],
      [{ 'accept-language': 'de', cookie: 'language=fr' }, 'fr', 'Confirmez votre adresse'],
      [{ 'accept-language': 'pt' }, 'en', 'Confirm your address'],
    ] as [Record<string, string>, string, string][]) {
      const { text, headers: answer } = await page(LINK, headers);
      assert.match(text, new RegExp(`<html lang="${language}">`));
      assert.ok(text.includes(`<h1>${title}</h1>`), title);
      assert.equal(answer.get('vary'), 'Accept-Language, Cookie, Accept-Encoding');
      assert.doesNotMatch(text, /<script/);
      const policy = answer.get('content-security-policy') ?? '';
      assert.match(policy, /default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/);
      assert.deepEqual([answer.get('referrer-policy'), answer.get('x-robots-tag')], ['no-referrer', 'noindex']);
    }
  });
});

describe('what crawlers and feed readers get', () => {
  it('are valid feeds of open briefs, linked from the head of each page', async () => {
    clock.offsetMs += 31_000;
    const head = (await page('/')).text;
    for (const path of ['/feed.atom', '/feed.json']) assert.ok(head.includes(`href="${path}"`), path);
    const feed = parseAtomFeed((await page('/feed.atom')).text);
    assert.equal(feed.title?.value, `New briefs on ${NAME}`);
    assert.ok(feed.id && feed.updated && feed.entries?.every(({ id, updated, title }) => id && updated && title));
    assert.equal(feed.entries?.find(({ id }) => id?.endsWith(project.id))?.title?.value, HOSTILE);
    const json = parseJsonFeed(JSON.parse((await page('/feed.json')).text));
    assert.deepEqual(
      json.items?.map(({ url: link, title }) => [link, title]),
      feed.entries?.map(({ id, title }) => [id, title?.value]),
    );
  });

  it('is a valid sitemap, which no answer compresses again', async () => {
    const { headers, text } = await page('/sitemap.xml');
    assert.equal(headers.get('content-encoding'), null);
    const links = (await parseSitemap(Readable.from([text]))).map((each) => each.url);
    assert.ok(links.includes(`${url}/projects/${project.id}`) && links.includes(`${url}/agents/start`));
    for (const link of links) assert.equal((await page(link.replace(url, ''))).status, 200, link);
  });
});

it('the console and the server say the same', () => {
  assert.deepEqual(QUOTA, DAILY_QUOTA);
});
