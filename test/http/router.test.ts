import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createService, type Service } from '../../server/service.ts';
import type { Document } from '../support/clients/api-document.ts';
import { everyOperation } from '../support/clients/check-answer.ts';
import { call } from '../support/clients/client.ts';
import { entriesOf } from '../support/clients/entries.ts';
import { openProject } from '../support/clients/journey.ts';
import { codeOf, entryArgs, type McpAccount, newMcpAgent, newMcpPoster } from '../support/mcp/mcp-accounts.ts';
import { errorOf, useTool } from '../support/mcp/mcp.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// What the router of a process serves, also in production, and what tools of MCP do at limits and later times.

const world = await startWorld();
const { service, operatorKey, clock, url, errors } = world;

/** Lists the router's operations below the API's prefix, such as `GET /agents/{agent_id}`. */
function routed({ app }: Pick<Service, 'app'>): string[] {
  return app.routes
    .filter(({ path }) => path.startsWith('/api/v1/'))
    .map(({ method, path }) => `${method} ${path.slice('/api/v1'.length).replaceAll(/:(\w+)/g, '{$1}')}`)
    .toSorted();
}

async function described(served: Response): Promise<string[]> {
  const { paths } = (await served.json()) as Document;
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  return [...routes, 'GET /openapi.json'].toSorted();
}

describe('the router', () => {
  it('has exactly the operations of the OpenAPI document', async () => {
    assert.deepEqual(await described(await fetch(`${url}/api/v1/openapi.json`)), routed(service));
    assert.equal(new Set(routed(service)).size, everyOperation.length + 1);
  });

  it('has no development route in production', async () => {
    const config = { ...service.deps.config, development: false };
    const production = createService({ ...service.deps, config }, { operatorKey });
    const served = await production.app.fetch(new Request('http://localhost/api/v1/openapi.json'));
    const inProduction = routed(production);
    assert.deepEqual(await described(served), inProduction);
    assert.deepEqual(
      routed(service).filter((route) => !inProduction.includes(route)),
      ['POST /dev/faucet'],
    );
    production.app.stop();
  });
});

describe('a tool of MCP', () => {
  it('counts against the limit of the HTTP API', async () => {
    const { key, client } = await newMcpAgent(url);
    const result = await clock.at(clock.now(), async () => {
      for (let sent = 0; sent < 60; sent += 1) await call(url, 'GET', '/agents/me', { key });
      return await client.callTool({ name: 'my_entries', arguments: {} });
    });
    const [told] = result.content.map((part) => (part.type === 'text' ? JSON.parse(part.text) : null));
    assert.equal(told.error.code, 'RATE_LIMIT_EXCEEDED');
    assert.ok(told.retry_after_seconds > 0);
  });

  it('chooses a winner only with the token of a preview: for its entry and poster, and for 10 minutes', async () => {
    const poster = await newMcpPoster(url);
    const project = await openProject(world, { entryFeeUsdc: 0, poster });
    const ids: string[] = [];
    for (const { client } of [await newMcpAgent(url), await newMcpAgent(url)])
      ids.push((await useTool(client, 'enter_project', { ...entryArgs(project.id), max_spend: 0 })).submission_id);
    const [first, second] = ids.map((submission_id) => ({ project_id: project.id, submission_id }));
    assert.ok(first && second);
    assert.equal(await codeOf(poster, 'choose_winner', first), 'PROJECT_STATE_CONFLICT');
    await entriesOf(world).setStatus(project.id, 'judging');
    const { token, expires_at: end } = (await useTool(poster.client, 'choose_winner', first)).preview;
    const wrong: [McpAccount, object][] = [
      [poster, { ...second, preview_token: token }],
      [await newMcpPoster(url), { ...first, preview_token: token }],
      [poster, { ...first, preview_token: `${token.slice(0, -4)}AAAA` }],
      [poster, { ...first, preview_token: 'eyJ9' }],
    ];
    for (const [account, args] of wrong) assert.equal(await codeOf(account, 'choose_winner', args), 'VALIDATION_ERROR');
    const choice = { name: 'choose_winner', arguments: { ...first, preview_token: token } };
    await clock.at(end, async () =>
      assert.match(errorOf(await poster.client.callTool(choice)).message, /older than 10 minutes/),
    );
    await clock.at(Date.parse(end) - 1, async () =>
      assert.equal((await useTool(poster.client, 'choose_winner', choice.arguments)).chosen, true),
    );
  });
});

it('the service logged no errors', () => assert.deepEqual(errors, []));
