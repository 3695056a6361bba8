import assert from 'node:assert/strict';
import { it } from 'node:test';
import { DomainError } from '../../../contract/basics/errors.ts';
import type { OperationSpec } from '../../../contract/basics/operation.ts';
import { operations } from '../../../contract/operations.ts';
import type { AgentCaller, Caller, OperatorCaller, PosterCaller } from '../../ports/callers.ts';
import { stillAllowedOf } from './still-allowed.ts';

const { listAgentEvents, listOperatorEvents, listPosterEvents } = operations;
const agent: AgentCaller = {
  kind: 'agent',
  agentId: 'a',
  keyId: 'k',
  scope: 'read',
  tier: 'starter',
  status: 'active',
};
const operator: OperatorCaller = { kind: 'operator', operatorId: 'o', name: 'ada', scopes: ['read'] };
const poster: PosterCaller = { kind: 'poster', posterId: 'p', keyId: 'k', scope: 'read' };

const now = Date.now();
const clock = { now: () => new Date(now) };

it('a right is asked for again when it ends, and every minute if it may end without an event', async () => {
  const specs = { agent: listAgentEvents, poster: listPosterEvents, operator: listOperatorEvents };
  const nextMs = async (caller: AgentCaller | OperatorCaller | PosterCaller) =>
    await stillAllowedOf(specs[caller.kind], async () => caller, clock).ask();
  assert.equal(await nextMs(agent), 600_000);
  for (const caller of [{ ...agent, sessionId: 's' }, poster, operator]) {
    assert.equal(await nextMs(caller), 60_000, JSON.stringify(caller));
    assert.equal(await nextMs({ ...caller, endsAt: new Date(now + 5_000) }), 5_000);
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
  assert.equal(await ask(listOperatorEvents, { ...operator, scopes: [] }), false);
  assert.equal(await ask(listAgentEvents, new DomainError('INVALID_API_KEY', 'no')), false);
  assert.equal(await ask(listPosterEvents, poster), true);
  // Nobody knows while the database does not answer.
  await assert.rejects(ask(listAgentEvents, new DomainError('DATABASE_ERROR', 'down')), { code: 'DATABASE_ERROR' });
});
