import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import { HOUR_MS, judgingWorld } from '../../test/support/worlds/judging-world.ts';
import { checkStats } from '../agents/rankings/check-stats.ts';
import { migrate } from '../db/migrate.ts';
import type { Config } from '../config.ts';

// A database as the version before the rules of a fair market left it.

const { db } = await testDatabase({ last: '0013_judging.sql' });
const NOW = new Date('2026-03-01T12:00:00.000Z');
const posterId = randomUUIDv7();
await db`insert into posters (id, name, created_at) values (${posterId}, 'Old poster', ${NOW})`;

async function oldProject(status: string, columns: Record<string, unknown> = {}): Promise<string> {
  const id = randomUUIDv7();
  const wallet = `0x${'f'.repeat(40)}`;
  await db`insert into projects ${db({
    id,
    poster_id: posterId,
    title: 'An old project',
    description: 'A project from before.',
    requirements: '',
    prize_micro: 1_000_000,
    entry_fee_micro: 250_000,
    platform_fee_ppm: 50_000,
    specializations: ['logo-design'],
    item_count: 1,
    style_references: [],
    color_preferences: [],
    size_requirements: '',
    tags: [],
    ai_analysis: db.json({ complexity_score: 1, estimated_hours: 1 }),
    auto_select_deadline: new Date(NOW.getTime() + 400 * 24 * HOUR_MS),
    judging_hours: 1,
    status,
    network: 'eip155:84532',
    asset: wallet,
    pay_to: wallet,
    funding_wallet: wallet,
    created_at: NOW,
    updated_at: NOW,
    published_at: NOW,
    visible_at: NOW,
    due_at: null,
    ...columns,
  })}`;
  return id;
}

async function oldEntry(projectId: string, outcome: string | null): Promise<string> {
  const [id, agentId] = [randomUUIDv7(), randomUUIDv7()];
  const decidedAt = outcome === null ? null : NOW;
  await db`
    insert into agents (id, name, description, specializations, settings, created_at, last_active_at, total_projects)
    values (${agentId}, 'Old agent', 'An agent from before.', '{}', '{}', ${NOW}, ${NOW}, 1)`;
  await db`
    insert into submissions (id, project_id, agent_id, title, status, created_at, submitted_at, outcome, decided_at)
    values (${id}, ${projectId}, ${agentId}, 'An entry', 'submitted', ${NOW}, ${NOW}, ${outcome}, ${decidedAt})`;
  await db`
    insert into agent_categories (agent_id, category, submissions, wins)
    values (${agentId}, 'Symbols & Corporate', 1, ${outcome === 'won' ? 1 : 0})`;
  if (outcome === 'won') await db`update agents set total_wins = 1 where id = ${agentId}`;
  return agentId;
}

const completed = await oldProject('completed', { awarded_at: NOW, selection: 'poster', completed_at: NOW });
const ended = new Map<string, string>();
for (const outcome of ['won', 'lost', 'shared']) ended.set(outcome, await oldEntry(completed, outcome));
const cancelled = new Map<string, string>();
for (const actor of [`poster:${posterId}`, 'operator', 'timer']) {
  const id = await oldProject('cancelled', { cancel_reason: 'Before' });
  cancelled.set(id, actor.replace(/:.*/, ''));
  await db`
    insert into project_transitions (project_id, from_status, to_status, actor, reason, at)
    values (${id}, 'open', 'cancelled', ${actor}, 'Before', ${NOW})`;
}
const judged = await oldProject('judging', { closed_at: NOW, judging_ends_at: NOW, due_at: NOW });
for (const _ of [1, 2]) await oldEntry(judged, null);
const open = await oldProject('open');
await oldEntry(open, null);
await migrate(db);

const config = { autoPayoutHoldHours: 24, closeNoticeMinutes: 15 } as Config;
const world = await judgingWorld(db, { config });
const poster = { ...world.poster, caller: { ...world.poster.caller, posterId } };

describe('a database from before', () => {
  it('keeps who cancelled its projects, and when', async () => {
    for (const [id, by] of cancelled) {
      const [row] = await db`select cancelled_at, cancelled_by, fee_kept from projects where id = ${id}`;
      assert.deepEqual({ ...row }, { cancelled_at: NOW, cancelled_by: by, fee_kept: false });
    }
  });

  it('counts losses, without shares, as the nightly check does', async () => {
    for (const [outcome, agentId] of ended) {
      const [row] = await db<[{ losses: number }]>`select losses from agent_categories where agent_id = ${agentId}`;
      assert.equal(row.losses, outcome === 'lost' ? 1 : 0, outcome);
    }
    await db`update agents set success_streak = 0`;
    const lines: unknown[] = [];
    const log = { ...world.deps.log, error: (line: unknown) => void lines.push(line), info: () => {} };
    await checkStats({ ...world.deps, log: log as never }, new AbortController().signal);
    assert.deepEqual(lines, []);
  });

  it('ends a project in judging by its own terms: all entries share, and nothing is held', async () => {
    await world.advanceProjects();
    const [row] = await db<[{ terms: number; selection: string; held: Date | null }]>`
      select terms, selection, held_at as held from projects where id = ${judged}`;
    assert.deepEqual({ ...row }, { terms: 1, selection: 'split', held: null });
    assert.deepEqual(await world.outcomes(judged), ['shared 1 475000', 'shared 2 475000']);
  });

  it('closes an open project without a notice, and bounds no deadline', async () => {
    const { project } = await world.close(open, poster);
    assert.deepEqual([project.status, project.latest_deadline], ['judging', null]);
    world.advance(HOUR_MS);
    await world.advanceProjects();
    const [row] = await db<[{ selection: string }]>`select selection from projects where id = ${open}`;
    assert.equal(row.selection, 'split');
  });
});
