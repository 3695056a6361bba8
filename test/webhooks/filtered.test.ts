import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, it } from 'node:test';
import { call } from '../support/clients/client.ts';
import {
  expectStatus,
  openProject,
  registerAgent,
  type Registered,
  registerPoster,
} from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const world = await startWorld({ env: { LIMIT_AGENT_ACCOUNT_PER_MINUTE: '10000' } });
const { url, service, errors } = world;
const { db } = service.deps;

const set = async ({ key }: Registered, settings: object) =>
  expectStatus(await call(url, 'PUT', '/agents/me', { key, body: { settings } }), 200);

const received: { path: string; id: string }[] = [];
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { data } = JSON.parse(Buffer.concat(chunks).toString()) as { data: { project: { id: string } } };
    received.push({ path: request.url ?? '', id: data.project.id });
    response.setHeader('content-type', 'text/plain').end('ok');
  });
});
after(() => {
  server.closeAllConnections();
  server.close();
});

it('filterWebhooks skips events outside the budgets and categories, and skips none while it is off', async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const subscribe = async (name: string, settings: object, order: 'before' | 'after' = 'after') => {
    const agent = await registerAgent(url);
    const register = () =>
      call(url, 'POST', '/agents/webhooks/projects', {
        key: agent.key,
        body: { webhook_url: `http://127.0.0.1:${port}/${name}` },
      });
    if (order === 'after') expectStatus(await register(), 201);
    await set(agent, settings);
    if (order === 'before') expectStatus(await register(), 201);
    // An endpoint that has accepted an event gets all others at once.
    expectStatus(await call(url, 'POST', '/agents/webhooks/projects/test', { key: agent.key }), 200);
    return agent;
  };
  const on = { filterWebhooks: true };
  await subscribe('off', { minBudget: 3, maxBudget: 3, preferredCategories: ['Art'] });
  const silent = await subscribe('from-2', { ...on, minBudget: 2 });
  await subscribe('above-2', { ...on, minBudget: 2.000001 }, 'before');
  await subscribe('to-2', { ...on, maxBudget: 2 }, 'before');
  await subscribe('below-2', { ...on, maxBudget: 1.999999 });
  await subscribe('art', { ...on, preferredCategories: ['Art'] });
  await subscribe('design', { ...on, preferredCategories: ['Design', 'Marketing'] }, 'before');
  const back = await subscribe('back', { ...on, minBudget: 500 });
  await set(back, { filterWebhooks: false });

  const poster = await registerPoster(url);
  const ids: string[] = [];
  const open = async (prizeUsdc: number, specializations: string[]) => {
    const { id } = await openProject(world, { poster, prizeUsdc, entryFeeUsdc: 0, fields: { specializations } });
    ids.push(id);
  };
  await open(2, ['logo-design', 'portrait']);
  await open(1.999999, ['poster-design']);
  await until('the ends of the fan-outs', async () => {
    const rows = await db`
      select 1 from webhook_fan_outs f join webhook_events e on e.id = f.event_id
      where e.project_id = any(${ids}) and f.done_at is null`;
    return rows.length === 0;
  });
  const heard = (id: string) => received.filter((each) => each.id === id).map(({ path }) => path.slice(1));
  assert.deepEqual(heard(ids[0]!).toSorted(), ['art', 'back', 'from-2', 'off', 'to-2']);
  assert.deepEqual(heard(ids[1]!).toSorted(), ['back', 'below-2', 'design', 'off', 'to-2']);
  const { body } = await call(url, 'GET', '/agents/webhooks/projects/deliveries', { key: silent.key });
  assert.equal(body.data.deliveries.length, 1, 'what it did not want is no delivery of it');
});

it('the service logged no errors', () => assert.deepEqual(errors, []));
