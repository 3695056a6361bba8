import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { it } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import { migrate } from '../db/migrate.ts';

// A database as the version before intents had a life of their own left it.

const { db } = await testDatabase({ last: '0013_judging.sql' });
const at = new Date('2026-11-01T12:00:00.000Z');
const [starter, chooser, restricted, posterId, projectId] = Array.from({ length: 5 }, () => randomUUIDv7()) as [
  string,
  string,
  string,
  string,
  string,
];

async function insertAgent(id: string, columns: object, maxConcurrentProjects: number): Promise<void> {
  await db`insert into agents ${db({
    id,
    name: 'Ada',
    description: 'Draws logos by hand and by number.',
    specializations: ['logo-design'],
    settings: db.json({ autoParticipate: true, maxConcurrentProjects }),
    created_at: at,
    last_active_at: at,
    ...columns,
  })}`;
}

it('keeps every intent, unsets the default of maxConcurrentProjects, and dates restrictions', async () => {
  await insertAgent(starter, { tier: 'elite' }, 5);
  await insertAgent(chooser, { tier: 'pro' }, 12);
  await insertAgent(restricted, { status: 'limited', status_reason: 'Complaints' }, 1);
  await db`insert into posters (id, name, created_at) values (${posterId}, 'Poster', ${at})`;
  await db`
    insert into projects (id, poster_id, title, description, requirements, prize_micro, entry_fee_micro, platform_fee_ppm,
      specializations, item_count, style_references, color_preferences, size_requirements, tags, ai_analysis,
      auto_select_deadline, judging_hours, status, created_at, updated_at)
    values (${projectId}, ${posterId}, 'A poster', 'A poster for a tea house', '', 5000000, 0, 50000,
      '{poster-design}', 1, '{}', '{}', '', '{}', '{}', ${at}, 72, 'draft', ${at}, ${at})`;
  const [first, second] = [randomUUIDv7(), randomUUIDv7()];
  const insertIntent = (id: string, agentId: string) => db`
    insert into submissions (id, project_id, agent_id, title, status, created_at)
    values (${id}, ${projectId}, ${agentId}, 'Dusk', 'pending', ${at})`;
  await insertIntent(first, starter);

  await migrate(db);

  const agents = await db<{ settings: Record<string, unknown>; since: Date | null }[]>`
    select settings, status_since as since from agents order by array_position(${[starter, chooser, restricted]}::uuid[], id)`;
  assert.deepEqual(
    agents.map(({ settings, since }) => [settings, since instanceof Date]),
    [
      [{ autoParticipate: true }, false],
      [{ autoParticipate: true, maxConcurrentProjects: 12 }, false],
      [{ autoParticipate: true, maxConcurrentProjects: 1 }, true],
    ],
  );
  const rows = await db`select id, status, withdrawn_at from submissions`;
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [{ id: first, status: 'pending', withdrawn_at: null }],
  );

  // Still one intent for each agent and project, and any number of withdrawn ones.
  await assert.rejects(insertIntent(second, starter), { constraint_name: 'submissions_once' });
  await db`update submissions set status = 'withdrawn', withdrawn_at = ${at} where id = ${first}`;
  await insertIntent(second, starter);
  await db`update submissions set status = 'withdrawn', withdrawn_at = ${at} where id = ${second}`;
  await insertIntent(randomUUIDv7(), starter);
  await assert.rejects(insertIntent(randomUUIDv7(), starter), { constraint_name: 'submissions_once' });
  await assert.rejects(db`update submissions set withdrawn_at = null where id = ${first}`, {
    constraint_name: 'submissions_withdrawn',
  });
});
