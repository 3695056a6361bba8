import assert from 'node:assert/strict';
import { it } from 'node:test';
import { call } from '../support/clients/client.ts';
import {
  expectStatus,
  openProject,
  registerAgent,
  type Registered,
  registerPoster,
} from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { serveHttp } from '../support/servers/http-server.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Which agents get the event of a new project: all but those that filter it, and those that are suspended.

const world = await startWorld({ env: { LIMIT_AGENT_PER_MINUTE: '10000' } });
const { url, operatorKey, clock, service } = world;
const { db } = service.deps;

const received: { path: string; id: string }[] = [];
/** The receiver answers 500 to events of projects while this is set. */
let isBroken = false;
const address = await serveHttp(({ path, body }, response) => {
  const { event, data } = JSON.parse(body) as { event: string; data: { project: { id: string } } };
  if (event !== 'TEST') received.push({ path: path.slice(1), id: data.project.id });
  response.writeHead(isBroken && event !== 'TEST' ? 500 : 200, { 'content-type': 'text/plain' }).end('ok');
});
const poster = await registerPoster(url);

const set = async ({ key }: Registered, settings: object) =>
  expectStatus(await call(url, 'PUT', '/agents/me', { key, body: { settings } }), 200);
const setStatus = async ({ id }: Registered, status: string, more: object = {}) =>
  expectStatus(
    await call(url, 'PUT', `/operator/agents/${id}/status`, {
      key: operatorKey,
      body: { status, reason: 'A test', ...more },
    }),
    200,
  );

type Subscriber = Registered & { hook: string };

/** Registers an agent with an endpoint that has accepted an event, so that it gets all others at once. */
async function subscribe(name: string, settings: object = {}): Promise<Subscriber> {
  const agent = await registerAgent(url);
  const body = { webhook_url: `${address}/${name}` };
  const made = expectStatus(await call(url, 'POST', '/agents/webhooks/projects', { key: agent.key, body }), 201);
  const hook = `/agents/me/webhooks/${made.body.data.subscription_id}`;
  await set(agent, settings);
  expectStatus(await call(url, 'POST', `${hook}/test`, { key: agent.key }), 200);
  return { ...agent, hook };
}

/** Opens a project. Returns the names of the endpoints that got its event. */
async function heardOf(prizeUsdc: number, specializations: string[]): Promise<string[]> {
  const { id } = await openProject(world, { poster, prizeUsdc, entryFeeUsdc: 0, fields: { specializations } });
  await until('every outcome', async () => {
    const [row] = await db`
      select (select last from event_head) = (select position from event_consumers where name = 'webhooks')
        and not exists (select 1 from events where seq is null and visible_at is null)
        and not exists (select 1 from webhook_deliveries where due_at <= ${clock.now()}) as done`;
    return row?.['done'];
  });
  return received
    .filter((each) => each.id === id)
    .map(({ path }) => path)
    .toSorted();
}

it('an agent that filters webhooks gets events within its budgets and categories, to the microdollar', async () => {
  const on = { filterWebhooks: true };
  await subscribe('off', { minBudget: 3, maxBudget: 3, preferredCategories: ['Art'] });
  const silent = await subscribe('from-2', { ...on, minBudget: 2 });
  await subscribe('above-2', { ...on, minBudget: 2.000001 });
  await subscribe('to-2', { ...on, maxBudget: 2 });
  await subscribe('below-2', { ...on, maxBudget: 1.999999 });
  await subscribe('art', { ...on, preferredCategories: ['Art'] });
  await subscribe('design', { ...on, preferredCategories: ['Design', 'Marketing'] });
  const back = await subscribe('back', { ...on, minBudget: 500 });
  await set(back, { filterWebhooks: false });
  assert.deepEqual(await heardOf(2, ['logo-design', 'portrait']), ['art', 'back', 'from-2', 'off', 'to-2']);
  assert.deepEqual(await heardOf(1.999999, ['poster-design']), ['back', 'below-2', 'design', 'off', 'to-2']);
  const { body } = await call(url, 'GET', `${silent.hook}/deliveries`, { key: silent.key });
  assert.equal(body.data.deliveries.length, 1, 'what it did not want is no delivery of it');
});

it('a suspended agent gets no events until its suspension ends, and no waiting retries', async () => {
  const agents = await Promise.all(['active', 'limited', 'suspended', 'forever'].map((name) => subscribe(name)));
  const [active, limited, suspended, forever] = agents as [Subscriber, Subscriber, Subscriber, Subscriber];
  await setStatus(limited, 'limited');
  const end = new Date(clock.now().getTime() + 600_000).toISOString();
  await setStatus(suspended, 'suspended', { until: end });
  await setStatus(forever, 'suspended');
  const names = new Set(['active', 'limited', 'suspended', 'forever']);
  const heard = async () => (await heardOf(2, ['logo-design'])).filter((name) => names.has(name));
  assert.deepEqual(await heard(), ['active', 'limited']);
  // The suspension has ended, whether or not the timer has run.
  clock.offsetMs += 600_000;
  assert.deepEqual(await heard(), ['active', 'limited', 'suspended']);
  await setStatus(forever, 'active');
  isBroken = true;
  // Each endpoint fails twice.
  assert.equal((await heard()).filter((name) => name === 'active').length, 2);
  const deliveryOf = async ({ key, hook }: Subscriber) =>
    (await call(url, 'GET', `${hook}/deliveries`, { key })).body.data.deliveries[0];
  await until('a retry waits', async () => (await deliveryOf(active)).state === 'retrying');
  const webhookId = active.hook.split('/').at(-1);
  await setStatus(active, 'suspended');
  isBroken = false;
  received.length = 0;
  clock.offsetMs += 61_000;
  await until('the others', async () => (await deliveryOf(limited)).state === 'delivered');
  await until('its retry is dead', async () => {
    const path = `/operator/webhooks/deliveries?webhook_id=${webhookId}`;
    const { deliveries } = expectStatus(await call(url, 'GET', path, { key: operatorKey }), 200).body.data;
    return deliveries[0].state === 'dead';
  });
  assert.ok(received.every(({ path }) => path !== 'active'));
});
