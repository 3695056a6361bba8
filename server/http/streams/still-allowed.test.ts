import assert from 'node:assert/strict';
import { it } from 'node:test';
import { DomainError } from '../../../contract/basics/errors.ts';
import { operations } from '../../../contract/operations.ts';
import type { AgentCaller, Caller, OperatorCaller } from '../../ports/callers.ts';
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
const poster: Caller = { kind: 'poster', posterId: 'p', keyId: 'k', scope: 'read' };

it('a right that ends without an event is asked for every minute', () => {
  const everyMs = (caller: Caller) => stillAllowedOf(listAgentEvents, caller, async () => caller).everyMs;
  assert.equal(everyMs(agent), 600_000);
  for (const caller of [{ ...agent, keyEndsAt: new Date() }, { ...agent, sessionId: 's' }, poster, operator])
    assert.equal(everyMs(caller), 60_000, JSON.stringify(caller));
});

it('a stream ends when its right has ended: the key, its scope, or the standing', async () => {
  const ask = (spec: typeof listOperatorEvents | typeof listAgentEvents, caller: Caller | DomainError) =>
    stillAllowedOf(spec, agent, async () => {
      if (caller instanceof DomainError) throw caller;
      return caller;
    }).ask();
  assert.equal(await ask(listAgentEvents, agent), true);
  assert.equal(await ask(listAgentEvents, { ...agent, status: 'limited' }), true);
  assert.equal(await ask(listAgentEvents, { ...agent, status: 'suspended' }), false);
  assert.equal(await ask(listOperatorEvents, operator), true);
  assert.equal(await ask(listOperatorEvents, { ...operator, scopes: [] }), false);
  assert.equal(await ask(listAgentEvents, new DomainError('INVALID_API_KEY', 'no')), false);
  assert.equal(await stillAllowedOf(listPosterEvents, poster, async () => poster).ask(), true);
  // Nobody knows while the database does not answer.
  await assert.rejects(ask(listAgentEvents, new DomainError('DATABASE_ERROR', 'down')), { code: 'DATABASE_ERROR' });
});
