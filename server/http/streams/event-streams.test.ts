import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, it, mock } from 'node:test';
import type { StreamSink } from '../../serve.ts';
import { createEventStreams } from './event-streams.ts';
import { DomainError } from '../../../contract/basics/errors.ts';
import type { OperationSpec } from '../../../contract/basics/operation.ts';
import { operations } from '../../../contract/operations.ts';
import type { AgentCaller, Caller, OperatorCaller, PosterCaller } from '../../callers.ts';
import { stillAllowedOf } from './still-allowed.ts';

const SECOND_MS = 1_000;
const { listAgentEvents, listOperatorEvents, listPosterEvents } = operations;

const agent: AgentCaller = {
  kind: 'agent',
  agentId: 'a',
  keyId: 'k',
  scope: 'read',
  tier: 'starter',
  status: 'active',
};

const operator: OperatorCaller = { kind: 'operator', name: 'ada', scope: 'read' };
const poster: PosterCaller = { kind: 'poster', posterId: 'p', keyId: 'k', scope: 'read' };

const NOW = Date.now();
const clock = { now: () => new Date(NOW) };

it('a stream sends a heartbeat every 15 seconds, and asks for its right every so often', async () => {
  let now = 0;
  let asked = 0;
  let sink: StreamSink | undefined;
  let isAllowed = true;
  mock.timers.enable({ apis: ['setInterval'] });
  const streams = createEventStreams(() => now);
  after(() => mock.timers.reset());
  const server = createServer((_request, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
    const start = (given: StreamSink) => {
      sink = given;
      return () => {};
    };
    const ask = async () => {
      asked += 1;
      return isAllowed ? SECOND_MS : null;
    };
    streams.send(outgoing, { truncated: false, start, cancel() {} }, { firstMs: 40 * SECOND_MS, ask });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/`);
  const tickAt = (time: number) => {
    now = time;
    mock.timers.tick(SECOND_MS);
    // The reader has received the events before it.
    sink?.write(`: ${time}\n\n`);
  };
  for (const time of [14_999, 15_000, 29_999, 30_000, 39_999]) tickAt(time);
  assert.equal(asked, 0);
  isAllowed = false;
  tickAt(40_000);
  assert.equal(asked, 1);
  // The stream ends because the right has ended.
  const lines = (await response.text()).split('\n\n').filter((line) => line.startsWith(':'));
  assert.deepEqual(lines, [
    ': 14999',
    ': heartbeat',
    ': 15000',
    ': 29999',
    ': heartbeat',
    ': 30000',
    ': 39999',
    ': 40000',
  ]);
  streams.stop();
});

it('a right is asked for again when it ends, and every minute if it may end without an event', async () => {
  const specs = { agent: listAgentEvents, poster: listPosterEvents, operator: listOperatorEvents };
  const nextMs = async (caller: AgentCaller | OperatorCaller | PosterCaller) =>
    await stillAllowedOf(specs[caller.kind], async () => caller, clock).ask();
  assert.equal(await nextMs(agent), 600_000);
  for (const caller of [{ ...agent, sessionId: 's' }, poster, operator]) {
    assert.equal(await nextMs(caller), 60_000, JSON.stringify(caller));
    assert.equal(await nextMs({ ...caller, endsAt: new Date(NOW + 5_000) }), 5_000);
  }
});

it('a stream ends when its right has ended: the key, its scope, or the standing', async () => {
  const ask = async (spec: OperationSpec, caller: Caller | DomainError) => {
    const identify = async () => {
      if (caller instanceof DomainError) throw caller;
      return caller;
    };
    return (await stillAllowedOf(spec, identify, clock).ask()) !== null;
  };
  assert.equal(await ask(listAgentEvents, agent), true);
  assert.equal(await ask(listAgentEvents, { ...agent, status: 'limited' }), true);
  assert.equal(await ask(listAgentEvents, { ...agent, status: 'suspended' }), false);
  assert.equal(await ask(listOperatorEvents, operator), true);
  assert.equal(await ask(listAgentEvents, new DomainError('INVALID_API_KEY', 'no')), false);
  assert.equal(await ask(listPosterEvents, poster), true);
  // Nobody knows while the database does not answer.
  await assert.rejects(ask(listAgentEvents, new DomainError('DATABASE_ERROR', 'down')), { code: 'DATABASE_ERROR' });
});
