import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DomainError } from '../../../contract/basics/errors.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { setAgentStatus } from '../../views/agents/set-agent-status.ts';
import { requireStanding } from '../accounts/status.ts';
import { standingWorld } from '../../../test/support/worlds/standing-world.ts';
import { endStandings } from './end-standings.ts';
import type { AgentStatus } from '../../ports/callers.ts';

const { db } = await testDatabase();
const DAY_MS = 86_400_000;
const setUp = (name?: string) => standingWorld(db, name);

describe('a status with an end', () => {
  it('ends exactly on time, with or without a cached caller and before the timer has run', async () => {
    const { set, statusNow, advance, stored } = await setUp();
    await set('suspended', { untilMs: 60_000 });
    assert.equal(await statusNow(), 'suspended');
    // The caller is cached for 900 ms, so the cached caller must carry the end itself.
    advance(59_500);
    assert.equal(await statusNow(), 'suspended');
    advance(499);
    assert.equal(await statusNow(), 'suspended');
    advance(1);
    assert.equal(await statusNow(), 'active');
    assert.equal((await stored())?.['status'], 'suspended');
    // The clock was set back, so the restriction still applies.
    advance(-2);
    assert.equal(await statusNow(), 'suspended');
    await set('active');
  });

  it('is ended once, by the first process to run the job, with an audit entry', async () => {
    const { set, advance, stored, statusChanges, deps, statusNow } = await setUp();
    await set('limited', { untilMs: 60_000 });
    advance(59_999);
    assert.equal(await endStandings(deps), 0);
    advance(1);
    const ended = await Promise.all(Array.from({ length: 6 }, () => endStandings(deps)));
    assert.equal(
      ended.reduce((sum, count) => sum + count),
      1,
    );
    assert.deepEqual({ ...(await stored()) }, { status: 'active', status_reason: null, status_until: null });
    assert.deepEqual(await statusChanges(), ['operator: active to limited', 'timer: limited to active']);
    // An ended restriction stays ended, even after the clock is set back.
    advance(-3_600_000);
    assert.equal(await endStandings(deps), 0);
    assert.equal(await statusNow(), 'active');
  });

  it('is ended for many agents after days of downtime', async () => {
    const agents = [];
    for (let count = 0; count < 60; count += 1) agents.push(await setUp());
    for (const { set } of agents) await set('under_review', { untilMs: 1_000 });
    const { deps, advance } = agents[0]!;
    advance(5 * DAY_MS);
    assert.equal(await endStandings(deps), 60);
    for (const { stored } of agents) assert.equal((await stored())?.['status'], 'active');
  });

  it('is recorded in the audit trail before the next change, even if the timer has not run', async () => {
    const { set, advance, statusChanges } = await setUp();
    await set('limited', { untilMs: 1_000 });
    advance(5_000);
    await set('suspended');
    assert.deepEqual(await statusChanges(), [
      'operator: active to limited',
      'timer: limited to active',
      'operator: active to suspended',
    ]);
  });

  it('must have its end in the future, and active must have no end', async () => {
    const { set } = await setUp();
    for (const untilMs of [0, -1]) await assert.rejects(set('limited', { untilMs }), { code: 'VALIDATION_ERROR' });
    await set('limited', { untilMs: 1 });
  });
});

describe('a change of status', () => {
  it('applies at once in the process that made it, which drops the cached keys', async () => {
    const { set, auth, apiKey, forgotten } = await setUp();
    await auth.authenticate(apiKey);
    await set('suspended');
    assert.deepEqual(forgotten, [apiKey.split('_')[2]]);
  });

  it('that changes nothing writes no audit entry', async () => {
    const { set, statusChanges } = await setUp();
    await set('active');
    await set('limited', { reason: 'One' });
    await set('limited', { reason: 'One' });
    await set('limited', { reason: 'Two' });
    assert.deepEqual(await statusChanges(), ['operator: active to limited', 'operator: limited to limited']);
  });

  it('by several operators at once is applied one after the other', async () => {
    const { set, statusChanges } = await setUp();
    const statuses = ['limited', 'suspended', 'under_review', 'limited', 'suspended', 'under_review'] as const;
    await Promise.all(statuses.map((status, index) => set(status, { reason: `Reason ${index}` })));
    const trail = (await statusChanges()).map((line) => line.replace('operator: ', '').split(' to '));
    assert.equal(trail.length, 6);
    // The audit entries form a chain: each status that one entry left was set by another.
    const reached = ['active', ...trail.map(([, to]) => to)];
    for (const [from] of trail) {
      const index = reached.indexOf(from);
      assert.notEqual(index, -1, trail.join('; '));
      reached.splice(index, 1);
    }
    assert.equal(reached.length, 1);
  });

  it('of an unknown agent throws AGENT_NOT_FOUND', async () => {
    const { operator, deps } = await setUp();
    const unknown = { params: { agent_id: deps.newId() }, body: { status: 'limited', reason: 'A test' } as const };
    await assert.rejects(setAgentStatus(operator, unknown), { code: 'AGENT_NOT_FOUND' });
  });
});

describe('the error for a restricted agent', () => {
  const until = new Date('2026-03-01T12:00:00.000Z');
  const caller = (status: AgentStatus, reason: string | null, end: Date | null) =>
    ({
      kind: 'agent',
      agentId: 'a',
      keyId: 'k',
      scope: 'owner',
      tier: 'starter',
      status,
      restriction: { reason, until: end },
    }) as const;

  function refusal(...[agent, standing]: Parameters<typeof requireStanding>): DomainError {
    try {
      requireStanding(agent, standing);
    } catch (error) {
      assert.ok(error instanceof DomainError);
      return error;
    }
    throw new Error('it was allowed');
  }

  it('gives the reason and the end', () => {
    const suspended = refusal(caller('suspended', 'Copies of others', until), 'notSuspended');
    assert.equal(
      suspended.message,
      'This agent is suspended until 2026-03-01T12:00:00.000Z. It can only read its profile. Reason: Copies of others',
    );
    assert.deepEqual(suspended.details, [
      { field: 'status', message: 'suspended' },
      { field: 'reason', message: 'Copies of others' },
      { field: 'until', message: '2026-03-01T12:00:00.000Z' },
    ]);
    const review = refusal(caller('under_review', null, null), 'active');
    assert.equal(review.code, 'AGENT_RESTRICTED');
    assert.match(review.message, /^This agent is under review\. It can finish entries that it paid for/);
    assert.deepEqual(review.details, [{ field: 'status', message: 'under_review' }]);
  });
});
