import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { operations } from '../../contract/operations.ts';
import type { OperationSpec } from '../../contract/basics/operation.ts';
import { call, newPayer } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import { expectStatus } from '../support/clients/journey.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

// What a client finds by the address alone: links, guides, and the documents of the API.

const { url } = await sharedWorld();

async function read(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(new URL(path, url), { headers, redirect: 'manual' });
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    link: response.headers.get('link') ?? '',
    text: await response.text(),
  };
}

function operationIds(document: string): string[] {
  const { paths } = JSON.parse(document) as { paths: Record<string, Record<string, { operationId: string }>> };
  return Object.values(paths).flatMap((methods) => Object.values(methods).map((each) => each.operationId));
}

/** Follows the links of a text that lead to this service. */
function linksOf(text: string): string[] {
  const found = text.match(/https?:\/\/[^\s)>"'`,]+/g) ?? [];
  return [...new Set(found.map((link) => link.replace(/[.:;]+$/, '')))].filter((link) => link.startsWith(url));
}

describe('a client that knows only the address', () => {
  it('finds every text by the links of / and /api/v1, and each link answers', async () => {
    const page = await read('/');
    const index = await read('/api/v1');
    assert.deepEqual([page.status, index.status], [200, 200]);
    assert.equal(page.link, index.link);
    const fromHeader = [...page.link.matchAll(/<([^>]+)>/g)].map(([, href]) => href ?? '');
    const { data } = JSON.parse(index.text) as { data: { links: { href: string; type: string }[] } };
    const all = data.links.map(({ href }) => href);
    assert.ok(fromHeader.length >= 4);
    assert.deepEqual(
      fromHeader.filter((href) => !all.includes(href)),
      [],
    );
    for (const { href, type } of data.links) {
      const answer = await read(href);
      assert.equal(answer.status, 200, href);
      assert.ok(answer.type.startsWith(type), `${href} is ${answer.type}`);
    }
  });

  it('reaches only existing addresses from the map, the skill, and the catalog', async () => {
    const texts = ['/llms.txt', '/skill.md', '/.well-known/api-catalog', '/robots.txt'];
    for (const path of texts) {
      const { status, text } = await read(path);
      assert.equal(status, 200, path);
      for (const link of linksOf(text)) {
        // The faucet and the MCP server take a POST.
        const expected = link.endsWith('/dev/faucet') || link === `${url}/mcp` ? 405 : 200;
        assert.equal((await read(link)).status, expected, `${link} in ${path}`);
      }
    }
  });

  it('finds the tools by their card', async () => {
    const { type, text } = await read('/.well-known/mcp/server-card.json');
    assert.match(type, /^application\/json/);
    const { name, remotes } = JSON.parse(text) as { name: string; remotes: object[] };
    assert.match(name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    const [remote] = remotes as { type: string; url: string }[];
    assert.deepEqual([remote?.type, remote?.url], ['streamable-http', `${url}/mcp`]);
  });

  it('reads in the skill only request lines of the contract', async () => {
    const { text, type } = await read('/skill.md');
    assert.match(type, /^text\/markdown/);
    assert.match(text, /^---\nname: [a-z-]+\ndescription: [^\n]+\n---\n/);
    const known = new Set(
      Object.values(operations).map(({ method, path }: OperationSpec) => `${method.toUpperCase()} ${path}`),
    );
    const named = [...text.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/[^`?]*)`/g)].map(([, line]) => line ?? '');
    assert.ok(named.length >= 12);
    assert.deepEqual(
      named.filter((line) => !known.has(line)),
      [],
    );
  });
});

it('a path with other methods names them: 405', async () => {
  const served = ['/llms.txt', '/skill.md', '/docs', '/docs/agents', '/docs/agents.md', '/api/v1/openapi.json'];
  const methodsOf = new Map(served.map((path) => [path, 'GET']));
  methodsOf.set('/api/v1', 'GET').set('/healthz', 'GET').set('/mail/verify/a', 'GET, POST');
  for (const [path, allow] of methodsOf)
    for (const method of ['DELETE', 'OPTIONS', 'PATCH']) {
      const answer = await fetch(url + path, { method });
      const { error } = (await answer.json()) as { error: { code: string; message: string } };
      assert.deepEqual([answer.status, answer.headers.get('allow'), error.code], [405, allow, 'NOT_FOUND'], path);
      assert.equal(error.message, `This path takes ${allow}, not ${method}.`);
    }
  for (const [method, path] of [
    ['POST', '/nothing'],
    ['HEAD', '/docs/nothing'],
    ['GET', '/storage/uploads/a.png'],
    ['GET', '/docs/operators/nothing'],
  ] as const)
    assert.equal((await fetch(url + path, { method })).status, 404, path);
});

describe('POST /dev/faucet', () => {
  const mint = (body: object) => call(url, 'POST', '/dev/faucet', { body });

  it('mints test USDC', async () => {
    const { address } = newPayer();
    const { data } = expectStatus(await mint({ address, amount_usdc: '2.5' }), 200).body;
    assert.deepEqual([data.address, data.amount_micro, data.balance_micro], [address, 2_500_000, 2_500_000]);
    assert.equal((await mint({ address, amount_usdc: 0.000001 })).body.data.balance_micro, 2_500_001);
  });

  it('refuses invalid addresses and amounts, and the treasury', async () => {
    const { address } = newPayer();
    for (const amount_usdc of [0, -1, 'much', 1_000_001, 0.0000001, null])
      codeIs(await mint({ address, amount_usdc }), 400, 'VALIDATION_ERROR', /amount_usdc: /);
    const treasury = (await call(url, 'GET', '/network')).body.data.pay_to as string;
    for (const other of ['0x1', address.slice(2), 7, `${address}0`, treasury])
      codeIs(await mint({ address: other, amount_usdc: 1 }), 400, 'VALIDATION_ERROR', /address: /);
  });
});

describe('/docs', () => {
  it('shows each operation of each reader once, with links that lead somewhere', async () => {
    for (const audience of ['agent', 'owner', 'poster', 'public', 'operator']) {
      const { text } = await read(`/docs?audience=${audience}`);
      const ids = operationIds((await read(`/api/v1/openapi.json?audience=${audience}`)).text);
      assert.deepEqual(
        ids.filter((id) => text.split(`id="${id}"`).length !== 2),
        [],
      );
      const targets = new Set([...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id));
      assert.deepEqual(
        [...targets].filter((id) => !text.includes(`id="${id}"`)),
        [],
      );
      assert.doesNotMatch(text, /<script(?! src="\/docs\/scheme.js">)|undefined|\[object/);
    }
    assert.equal((await read('/docs?audience=nobody')).status, 400);
  });
});

it('texts are sent compressed to clients that accept it', async () => {
  const paths = ['/', '/docs', '/docs/agents', '/docs/guide.css', '/skill.md', '/api/v1/openapi.json'];
  for (const path of paths)
    for (const [accepted, sent] of Object.entries({ 'gzip, br': 'gzip', identity: null })) {
      const response = await fetch(url + path, { headers: { accept: 'text/html', 'accept-encoding': accepted } });
      await response.arrayBuffer();
      assert.match(response.headers.get('vary') ?? '', /Accept-Encoding/, path);
      assert.equal(response.headers.get('content-encoding'), sent, path);
    }
});

describe('a guide', () => {
  const guides = ['how-it-works', 'money', 'rights', 'agents', 'posters', 'operators', 'errors', 'events', 'settings'];
  const folder = join(import.meta.dirname, '../../docs/operators');
  const chapters = [
    'runbooks',
    'licences/assignment.v1',
    'licences/CC-BY-4.0.v1',
    ...readdirSync(folder).map((file) => `operators/${file.replace('.md', '')}`),
  ];

  it('is a page for browsers and Markdown for programs', async () => {
    assert.ok(chapters.length > 5);
    for (const name of [...guides, ...chapters]) {
      const page = await read(`/docs/${name}`, { accept: 'text/html,*/*' });
      assert.match(page.type, /^text\/html/);
      assert.match(page.text, /<main id="content">\n<h1/);
      const markdown = await read(`/docs/${name}.md`);
      assert.match(markdown.type, /^text\/markdown/);
      assert.match(markdown.text, /^# /);
      assert.equal((await read(`/docs/${name}`, { accept: 'text/markdown' })).text, markdown.text);
    }
  });

  it('is what a client prefers, and for equal weights what it names first', async () => {
    for (const [accept, type] of [
      ['text/markdown;q=0.5, text/html', 'text/html'],
      ['text/html;q=0.9, text/markdown', 'text/markdown'],
      ['text/html;q=0.5, text/markdown;q=0.5', 'text/html'],
      ['text/markdown, text/html', 'text/markdown'],
      ['text/markdown;q=0', 'text/html'],
      ['*/*', 'text/html'],
    ] as const)
      assert.ok((await read('/docs/agents', { accept })).type.startsWith(type), accept);
  });

  it('has links that lead somewhere, also to a heading', async () => {
    const pages = new Map<string, string>();
    const pageOf = async (path: string) => {
      const known = pages.get(path) ?? (await read(path, { accept: 'text/html' })).text;
      pages.set(path, known);
      return known;
    };
    for (const name of [...guides, ...chapters]) {
      const text = await pageOf(`/docs/${name}`);
      for (const [, href = ''] of text.matchAll(/ href="([^"]+)"/g)) {
        if (/^https?:/.test(href) || href === '/favicon.svg') continue;
        const [path = '', anchor] = href.split('#');
        const target = path || `/docs/${name}`;
        assert.equal((await read(target, { accept: 'text/html' })).status, 200, `${href} in ${name}`);
        if (anchor) assert.ok((await pageOf(target)).includes(`id="${anchor}"`), `${href} in ${name}`);
      }
    }
  });

  it('has no chapter but those of the book', async () => {
    for (const path of ['operators/none', 'operators/none.md', 'operators/..%2Fglossary', 'decisions'])
      assert.equal((await read(`/docs/${path}`)).status, 404, path);
  });
});

describe('the OpenAPI document of one reader', () => {
  const specs: OperationSpec[] = Object.values(operations);

  const idsFor = async (audience: string) =>
    operationIds((await read(`/api/v1/openapi.json?audience=${audience}`)).text);

  it('has every operation of that reader, and none of another', async () => {
    // The operations of an agent's key are in two documents: one for its work, one for its owner.
    const work = await idsFor('agent');
    const account = await idsFor('owner');
    assert.deepEqual(
      work.filter((id) => account.includes(id)),
      [],
    );
    for (const id of ['registerWebhook', 'createKey', 'linkWallet', 'getAnalytics']) assert.ok(!work.includes(id), id);
    for (const audience of ['agent', 'poster', 'operator', 'public']) {
      const ids = audience === 'agent' ? [...work, ...account] : await idsFor(audience);
      const own = specs.filter(({ auth }) => auth === audience).map(({ id }) => id);
      assert.deepEqual(
        own.filter((id) => !ids.includes(id)),
        [],
        audience,
      );
      const others = specs.filter(({ auth }) => auth !== audience && auth !== 'public').map(({ id }) => id);
      assert.deepEqual(
        others.filter((id) => ids.includes(id)),
        [],
        audience,
      );
    }
    const unknown = await read('/api/v1/openapi.json?audience=nobody');
    const { error } = JSON.parse(unknown.text) as { error: { code: string; message: string } };
    assert.deepEqual([unknown.status, error.code], [400, 'INVALID_PARAMETER']);
    assert.match(error.message, /audience: one of all, .*agent.*poster/);
  });
});
