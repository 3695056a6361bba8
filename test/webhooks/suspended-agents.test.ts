import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { call } from '../support/clients/client.ts';
import { expectStatus, openProject, registerAgent } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const world = await startWorld();
const { url, operatorKey, clock, service, errors } = world;
const { db } = service.deps;

const setStatus = (id: string, status: string, more: object = {}) =>
  call(url, 'PUT', `/operator/agents/${id}/status`, { key: operatorKey, body: { status, reason: 'A test', ...more } });
const inSeconds = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000).toISOString();

/** An endpoint that has accepted an event gets all others at once. */
const makeTrusted = async (key: string) =>
  assert.ok(expectStatus(await call(url, 'POST', '/agents/webhooks/projects/test', { key }), 200).body.data.delivered);

describe('a suspended agent', () => {
  it('gets no events until the suspension ends', async () => {
    const paths: string[] = [];
    const receiver = createServer((request, response) => {
      paths.push(request.url ?? '');
      request.resume();
      response.writeHead(200, { 'content-type': 'text/plain' }).end('ok');
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    after(() => {
      receiver.closeAllConnections();
      receiver.close();
    });
    const subscriber = async (name: string) => {
      const agent = await registerAgent(url);
      const webhook_url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${name}`;
      const body = { webhook_url };
      expectStatus(await call(url, 'POST', '/agents/webhooks/projects', { key: agent.key, body }), 201);
      await makeTrusted(agent.key);
      paths.length = 0;
      return agent;
    };
    const [active, limited, suspended, forever] = [
      await subscriber('active'),
      await subscriber('limited'),
      await subscriber('suspended'),
      await subscriber('forever'),
    ];
    expectStatus(await setStatus(limited.id, 'limited'), 200);
    expectStatus(await setStatus(suspended.id, 'suspended', { until: inSeconds(600) }), 200);
    expectStatus(await setStatus(forever.id, 'suspended'), 200);
    const fanOutsOver = () =>
      until(
        'the end of the fan-outs',
        async () => (await db`select 1 from webhook_fan_outs where done_at is null`).length === 0,
      );
    await openProject(world);
    await fanOutsOver();
    assert.deepEqual(new Set(paths.splice(0)), new Set(['/active', '/limited']));
    // The suspension has ended, whether or not the timer has run.
    clock.offsetMs += 600_000;
    await openProject(world);
    await fanOutsOver();
    assert.deepEqual(new Set(paths.splice(0)), new Set(['/active', '/limited', '/suspended']));
    expectStatus(await setStatus(forever.id, 'active'), 200);
    expectStatus(await setStatus(active.id, 'suspended'), 200);
    await openProject(world);
    await fanOutsOver();
    assert.deepEqual(new Set(paths.splice(0)), new Set(['/limited', '/suspended', '/forever']));
  });

  it('gets no waiting retries either', async () => {
    let answers = 0;
    const receiver = createServer((request, response) => {
      answers += 1;
      request.resume();
      response.writeHead(answers === 1 ? 200 : 500, { 'content-type': 'text/plain' }).end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    after(() => receiver.close());
    const agent = await registerAgent(url);
    const body = { webhook_url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/` };
    const registered = await call(url, 'POST', '/agents/webhooks/projects', { key: agent.key, body });
    const { subscription_id: webhookId } = expectStatus(registered, 201).body.data;
    await makeTrusted(agent.key);
    await openProject(world);
    const waiting = (state: 'due_at' | 'dead_at') =>
      until(state, async () => {
        const [row] = await db`
          select due_at, dead_at from webhook_retries where webhook_id = ${webhookId} and lease_until is null`;
        return row?.[state] !== null && row !== undefined;
      });
    await waiting('due_at');
    const before = answers;
    expectStatus(await setStatus(agent.id, 'suspended'), 200);
    clock.offsetMs += 61_000;
    await waiting('dead_at');
    assert.equal(answers, before);
  });
});

it('no errors were logged', () => {
  assert.deepEqual(errors, []);
});
