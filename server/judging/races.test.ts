import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import { createPool } from '../db/pool.ts';
import { HOUR_MS, judgingWorld } from '../../test/support/worlds/judging-world.ts';
import { advanceProjects } from './advance-projects.ts';

// The first decision wins and all others see it. Each actor uses its own connection pool, as another process would.
const { db, url } = await testDatabase();
const world = await judgingWorld(db);
const ROUNDS = 12;

async function inAnotherProcess<T>(work: (other: typeof world.poster) => Promise<T>): Promise<T> {
  const pool = createPool({ url, connections: 4 });
  try {
    return await work({ ...world.poster, db: pool });
  } finally {
    await pool.end({ timeout: 1 });
  }
}

/** Checks that the project has one outcome and owes money for that outcome only. */
async function requireOneOutcome(id: string): Promise<string> {
  const [row] = await db<{ status: string; selection: string | null; winner: string | null }[]>`
    select status, selection, winner_submission_id as winner from projects where id = ${id}`;
  const owed = await db<{ kind: string; submission: string | null }[]>`
    select kind, submission_id as submission from payouts where project_id = ${id}`;
  const outcomes = await db<{ id: string; outcome: string }[]>`
    select id, outcome from submissions where project_id = ${id} and outcome = 'won'`;
  if (row!.status === 'cancelled') {
    assert.ok(owed.length > 0 && owed.every(({ kind }) => kind === 'refund'));
    assert.deepEqual([...outcomes], []);
    return 'cancelled';
  }
  assert.equal(row!.status, 'judging');
  assert.deepEqual([...owed], [{ kind: 'prize', submission: row!.winner }]);
  assert.deepEqual([...outcomes], [{ id: row!.winner, outcome: 'won' }]);
  return row!.selection!;
}

describe('one project, decided by several actors at once', () => {
  it('two choices, the timers of two processes, and the operator: one outcome', async () => {
    await inAnotherProcess(async (other) => {
      const seen = new Map<string, number>();
      for (let round = 0; round < ROUNDS; round += 1) {
        const { id, entries } = await world.judged([2, 5], { judging_hours: 1 });
        world.advance(HOUR_MS);
        const people = [
          () => world.choose(id, entries[0]!.id),
          () => world.operatorCancel(id),
          () => world.choose(id, entries[1]!.id, other),
        ];
        // A timer is faster than a person, so in every other round the people are alone.
        const timers = round % 2 === 0 ? [() => advanceProjects(world.deps), () => advanceProjects(other)] : [];
        const works = [...people, ...timers];
        // Rotate the order, so that each actor starts first in some rounds.
        const order = [...works.slice(round % works.length), ...works.slice(0, round % works.length)];
        await Promise.allSettled(order.map((work) => work()));
        const outcome = await requireOneOutcome(id);
        seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
        const stats = await db<{ wins: number; pending: number }[]>`
          select sum(total_wins)::integer as wins, sum(pending_micro)::bigint as pending from agents
          where id = any(${entries.map(({ agentId }) => agentId)})`;
        const won = outcome === 'cancelled' ? [0, 0] : [1, 95_000_000];
        assert.deepEqual([stats[0]!.wins, stats[0]!.pending], won);
      }
      assert.ok(seen.size > 1, `only ${[...seen.keys()].join()}`);
    });
  });

  it('the deadline in two processes, an early close, and a late cancellation: one transition', async () => {
    await inAnotherProcess(async (other) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const id = await world.openProject({ auto_select_deadline: world.at(HOUR_MS).toISOString() });
        await world.enter(id);
        world.advance(HOUR_MS);
        const works = [
          () => world.close(id, other),
          () => advanceProjects(world.deps),
          () => world.cancel(id),
          () => advanceProjects(other),
        ];
        await Promise.allSettled((round % 2 === 0 ? works : works.toReversed()).map((work) => work()));
        const transitions = await world.transitions(id);
        assert.equal(transitions.length, 1);
        assert.match(transitions[0]!, /^open judging/);
      }
    });
  });
});
