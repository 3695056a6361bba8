import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, it, describe } from 'node:test';
import { createHmac, randomUUIDv7 } from 'node:crypto';
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
import { type NewEvent, recordEvents } from '../../server/events/public.ts';
import { codeIs } from '../support/clients/entries.ts';
import { orderedId } from '../support/ordered-ids.ts';
import { localReceiver } from '../support/webhooks/local-receiver.ts';

// Which agents get the event of a new project: all but those that filter it, and those that are suspended.

const world = await startWorld({ env: { LIMIT_AGENT_PER_MINUTE: '10000' } });
const { url, operatorKey, clock, service, errors } = world;
const { db } = service.deps;

const received: { path: string; id: string }[] = [];
/** The receiver answers 500 to events of projects while this is set. */
let isBroken = false;
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { event, data } = JSON.parse(Buffer.concat(chunks).toString()) as {
      event: string;
      data: { project: { id: string } };
    };
    if (event !== 'TEST') received.push({ path: (request.url ?? '').slice(1), id: data.project.id });
    response.writeHead(isBroken && event !== 'TEST' ? 500 : 200, { 'content-type': 'text/plain' }).end('ok');
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => {
  server.closeAllConnections();
  server.close();
});
const { port } = server.address() as AddressInfo;
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
  const body = { webhook_url: `http://127.0.0.1:${port}/${name}` };
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

// A delivery shows the request that was sent, so that an owner can compare it with what the endpoint got.

const { address, received: requests } = await localReceiver();
const at = (path: string) => requests.filter((each) => each.path === path && each.body.event !== 'TEST');

type Shown = {
  delivery: { id: string; state: string; attempts: { at: string }[] };
  request: { method: string; headers: Record<string, string>; body: string };
};

const read = async (path: string, key: string) =>
  expectStatus(await call(url, 'GET', path, { key }), 200).body.data as Shown;

/** Waits for the outcome, and compares the shown request with the one that the endpoint got. */
async function isWhatCame(path: string, { key, secret, hook }: { key: string; secret: string; hook: string }) {
  await until('the outcome', async () => (await read(path, key)).delivery.state === 'delivered');
  const { delivery, request } = await read(path, key);
  const [got = assert.fail('nothing came')] = at(hook);
  const { signature, ...rest } = JSON.parse(got.raw) as { signature: string };
  assert.equal(request.method, 'POST');
  assert.equal(request.body, got.raw.replace(`"signature":"${signature}",`, ''));
  // A receiver restores the signed text in either way of docs/agents.md.
  assert.equal(request.body, JSON.stringify(rest));
  assert.equal(`sha256=${createHmac('sha256', secret).update(request.body).digest('hex')}`, signature);
  assert.equal(request.headers['webhook-id'], delivery.id);
  for (const [name, value] of Object.entries(request.headers)) assert.equal(got.headers[name], value, name);
  const second = String(Math.floor(Date.parse(delivery.attempts[0]?.at ?? '') / 1000));
  assert.equal(got.headers['webhook-timestamp'], second);
  const text = JSON.stringify({ delivery, request });
  assert.doesNotMatch(text, /signature|whsec_/);
  assert.ok(!text.includes(secret));
}

const ids = { project_id: randomUUIDv7(), submission_id: randomUUIDv7() };

for (const kind of ['agents', 'posters'] as const)
  describe(`a delivery to an endpoint of ${kind}`, () => {
    it('shows the request, without what only the signer knows, to its owner alone', async () => {
      const register = kind === 'agents' ? registerAgent : registerPoster;
      const [owner, stranger] = [await register(url), await register(url)];
      const path = `/${kind}/me/webhooks`;
      const hook = `/sent-${kind}`;
      const types = [kind === 'agents' ? 'SUBMISSION.WON' : 'ENTRY.CONFIRMED'];
      const added = await call(url, 'POST', path, { key: owner.key, body: { url: `${address}${hook}`, types } });
      const { webhook, webhook_secret: secret } = expectStatus(added, 201).body.data;
      expectStatus(await call(url, 'POST', `${path}/${webhook.id}/test`, { key: owner.key }), 200);
      const id = orderedId();
      const event: NewEvent =
        kind === 'agents'
          ? { id, agent: owner.id, type: 'SUBMISSION.WON', data: { ...ids, amount_micro: 1_000_000, has_wallet: true } }
          : { id, poster: owner.id, type: 'ENTRY.CONFIRMED', data: { ...ids, total_submissions: 3 } };
      await db.begin((tx) => recordEvents(service.deps, tx, clock.now(), [event]));
      await until('the event', async () => at(hook).length === 1);
      const one = `${path}/${webhook.id}/deliveries/${id}`;
      await isWhatCame(one, { key: owner.key, secret, hook });
      codeIs(await call(url, 'GET', one, { key: stranger.key }), 404, 'NOT_FOUND');
      codeIs(await call(url, 'GET', one.replace(id, randomUUIDv7()), { key: owner.key }), 404, 'NOT_FOUND');
      codeIs(await call(url, 'GET', one.replace(id, 'x'), { key: owner.key }), 400, 'INVALID_PARAMETER');
      codeIs(await call(url, 'GET', one), 401, 'UNAUTHORIZED');
    });
  });

it('the service logged no errors', () => assert.deepEqual(errors, []));
