import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { Webhook } from 'svix';
import { call } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import { expectStatus, openProject, registerAgent } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// The real sender runs: a project opens, the service notifies the agent's endpoint, and the list shows the outcome.

// The tests ask again and again until a delivery has its state.
const world = await startWorld({ env: { LIMIT_AGENT_ACCOUNT_PER_MINUTE: '1000' } });
const { url, operatorKey, clock, errors } = world;
const PATH = '/agents/webhooks/projects';

type Received = { headers: Record<string, string>; body: Buffer };

async function receiver(respond: (response: ServerResponse) => void) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(chunks) });
      respond(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, received };
}

async function subscriber(webhookUrl: string) {
  const agent = await registerAgent(url);
  const registered = await call(url, 'POST', PATH, { key: agent.key, body: { webhook_url: webhookUrl } });
  const { webhook_secret: secret } = expectStatus(registered, 201).body.data;
  return { ...agent, secret: secret as string };
}

type Delivery = {
  id: string;
  project_id: string;
  state: string;
  next_attempt_at: string | null;
  attempts: { number: number; status: number; answer: string; failure: string | null }[];
};

async function deliveryOf({ key }: { key: string }, projectId: string, state: string): Promise<Delivery> {
  return await until(`it is ${state}`, async () => {
    const { deliveries } = expectStatus(await call(url, 'GET', `${PATH}/deliveries`, { key }), 200).body.data;
    const found = (deliveries as Delivery[]).find((each) => each.project_id === projectId);
    return found?.state === state && found;
  });
}

/** Waits for the status in the profile. The service writes it after the outcome of the attempt. */
async function statusBecomes({ key }: { key: string }, status: string): Promise<void> {
  await until(`the webhook is ${status}`, async () => {
    const { webhooks } = (await call(url, 'GET', '/agents/me', { key })).body.data;
    return webhooks[0].status === status;
  });
}

/** Sends a test event. The first one that succeeds makes the endpoint trusted. */
const test = async ({ key }: { key: string }) =>
  assert.equal(expectStatus(await call(url, 'POST', `${PATH}/test`, { key }), 200).body.data.delivered, true);

const replay = async ({ key }: { key: string }, id: string) =>
  expectStatus(await call(url, 'POST', `${PATH}/deliveries/${id}/replay`, { key }), 200).body.data.delivery as Delivery;

describe('the event of an opened project', () => {
  it('reaches its subscriber, and again under the same id after a replay', async () => {
    const good = await receiver((response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('thanks'));
    const agent = await subscriber(good.address);
    const project = await openProject(world);
    const { id, attempts } = await deliveryOf(agent, project.id, 'delivered');
    assert.deepEqual(
      attempts.map(({ number, status, answer, failure }) => [number, status, answer, failure]),
      [[1, 200, 'thanks', null]],
    );
    assert.equal((await replay(agent, id)).state, 'retrying');
    await until('it was sent again', async () => good.received.length === 2);
    assert.equal((await deliveryOf(agent, project.id, 'delivered')).attempts.length, 2);
    for (const { headers, body } of good.received) {
      assert.equal(headers['webhook-id'], id);
      const key = Buffer.from(agent.secret, 'hex').toString('base64');
      new Webhook(key).verify(body, headers);
      const event = JSON.parse(body.toString()) as { data: { project: { id: string } } };
      assert.equal(event.data.project.id, project.id);
    }
  });

  it('is retried at once and after one minute; a replay does not wait for the retry', async () => {
    let works = true;
    const moody = await receiver((response) =>
      response.writeHead(works ? 200 : 503, { 'content-type': 'application/json' }).end('{}'),
    );
    const agent = await subscriber(moody.address);
    await test(agent);
    works = false;
    const project = await openProject(world);
    await until('it was tried twice', async () => moody.received.length === 3);
    const waiting = await deliveryOf(agent, project.id, 'retrying');
    const seconds = (Date.parse(waiting.next_attempt_at!) - clock.now().getTime()) / 1000;
    assert.ok(seconds > 30 && seconds <= 60, `${seconds}`);
    assert.deepEqual(
      waiting.attempts.map(({ number, failure }) => [number, failure]),
      [
        [1, 'status'],
        [2, 'status'],
      ],
    );
    await statusBecomes(agent, 'failing');
    const listed = await call(url, 'GET', `/operator/webhooks/deliveries?agent_id=${agent.id}&state=retrying`, {
      key: operatorKey,
    });
    assert.deepEqual(
      (expectStatus(listed, 200).body.data.deliveries as Delivery[]).map(({ id }) => id),
      [waiting.id],
    );
    works = true;
    await replay(agent, waiting.id);
    const done = await deliveryOf(agent, project.id, 'delivered');
    assert.deepEqual(
      done.attempts.map(({ number, failure }) => [number, failure]),
      [
        [1, 'status'],
        [2, 'status'],
        [3, null],
      ],
    );
    await statusBecomes(agent, 'active');
  });

  it('goes to a replaced URL, signed with its secret, after the old URL failed', async () => {
    const [old, next] = [
      await receiver((response) => response.writeHead(500, { 'content-type': 'text/plain' }).end()),
      await receiver((response) => response.writeHead(200, { 'content-type': 'text/plain' }).end()),
    ];
    const agent = await subscriber(old.address);
    const project = await openProject(world);
    await until('it was tried twice', async () => old.received.length === 2);
    const { id } = await deliveryOf(agent, project.id, 'retrying');
    const body = { webhook_url: next.address };
    const replaced = expectStatus(await call(url, 'POST', PATH, { key: agent.key, body }), 200).body.data;
    // The new URL has not accepted an event, so the delivery waits for its turn, also after a replay.
    await replay(agent, id);
    assert.equal(next.received.length, 0);
    await test(agent);
    await deliveryOf(agent, project.id, 'delivered');
    const sent = next.received.find(({ headers }) => headers['webhook-id'] === id);
    for (const secret of [replaced.webhook_secret as string, agent.secret])
      new Webhook(Buffer.from(secret, 'hex').toString('base64')).verify(sent!.body, sent!.headers);
    assert.equal(old.received.length, 2);
  });

  it('stops after the endpoint answers 410', async () => {
    const gone = await receiver((response) => response.writeHead(410, { 'content-type': 'text/plain' }).end());
    const agent = await subscriber(gone.address);
    const project = await openProject(world);
    const { id } = await deliveryOf(agent, project.id, 'dead');
    await statusBecomes(agent, 'disabled');
    const shown = (await call(url, 'GET', PATH, { key: agent.key })).body.data;
    assert.ok(shown.disabled_reason.length > 0);
    codeIs(await call(url, 'POST', `${PATH}/deliveries/${id}/replay`, { key: agent.key }), 409, 'WEBHOOK_DISABLED');
    const before = gone.received.length;
    const other = await receiver((response) => response.writeHead(200, { 'content-type': 'text/plain' }).end());
    const witness = await subscriber(other.address);
    const later = await openProject(world);
    await deliveryOf(witness, later.id, 'delivered');
    assert.equal(gone.received.length, before);
  });
});

it('the service logged no errors', () => {
  assert.deepEqual(errors, []);
});
