import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import { openStream } from '../support/clients/event-stream.ts';
import { expectStatus, registerAgent } from '../support/clients/journey.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const world = await startWorld();
const { url, operatorKey, errors } = world;
const AGENT = '/agents/me/events';
const typesOf = (events: { type: string }[]) => events.map(({ type }) => type);

describe('event streams', () => {
  it('end with a suspension, after telling of it', async () => {
    const agent = await registerAgent(url);
    const stream = await openStream(url, `${AGENT}?after=now`, { authorization: `Bearer ${agent.key}` });
    const body = { status: 'suspended', reason: 'A test' };
    expectStatus(await call(url, 'PUT', `/operator/agents/${agent.id}/status`, { key: operatorKey, body }), 200);
    await stream.ended;
    assert.deepEqual(typesOf(stream.events), ['STATUS.CHANGED']);
    codeIs(await call(url, 'GET', AGENT, { key: agent.key }), 403, 'AGENT_SUSPENDED');
  });

  it('end with a suspension also for a reader of other types', async () => {
    const agent = await registerAgent(url);
    const path = `${AGENT}?after=now&types=KEY.CREATED`;
    const stream = await openStream(url, path, { authorization: `Bearer ${agent.key}` });
    const body = { status: 'suspended', reason: 'A test' };
    expectStatus(await call(url, 'PUT', `/operator/agents/${agent.id}/status`, { key: operatorKey, body }), 200);
    await stream.ended;
    assert.deepEqual(stream.events, []);
  });

  it('end when their key is replaced, after telling of it, and resume with it until its end', async () => {
    const { key } = await registerAgent(url);
    const stream = await openStream(url, `${AGENT}?after=now`, { authorization: `Bearer ${key}` });
    const body = { grace_seconds: 60 };
    expectStatus(await call(url, 'POST', '/agents/me/keys/rotate', { key, body }), 200);
    await stream.ended;
    assert.deepEqual(typesOf(stream.events).toSorted(), ['KEY.CREATED', 'KEY.REVOKED']);
    const again = await openStream(url, `${AGENT}?after=${stream.events.at(-1)!.id}`, {
      authorization: `Bearer ${key}`,
    });
    assert.equal(again.status, 200);
    again.close();
  });
});

it('logs no errors', () => assert.deepEqual(errors, []));
