import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import { advanceProjects } from './advance-projects.ts';
import { createAiTurns } from './ai-queue.ts';
import { HOUR_MS, judgingWorld } from '../../test/support/worlds/judging-world.ts';

// What the timers do while the AI judge is at work. Its rounds themselves are in ai-judging.test.ts.

const { db } = await testDatabase();
type AiDeps = Parameters<typeof createAiTurns>[0];
const AI = { ai: {} } as unknown as Pick<AiDeps, 'ai'>;
const world = await judgingWorld(db, AI);
const { signal } = new AbortController();

const state = async (id: string) =>
  (
    await db<{ selection: string | null; due: Date | null }[]>`
      select selection, due_at as due from projects where id = ${id}`
  )[0]!;
const recordState = (id: string, judged: 'running' | 'scored' | 'impossible') => db`
  insert into ai_judging (project_id, state, due_at, updated_at) values (${id}, ${judged}, ${world.at(HOUR_MS)}, ${world.at()})
  on conflict (project_id) do update set state = excluded.state`;

async function unscored() {
  const judged = await world.judged([null, null], { judging_hours: 1 });
  world.advance(HOUR_MS);
  return judged;
}

async function advance(): Promise<string[]> {
  const handedOver: string[] = [];
  await advanceProjects(world.deps, signal, (id) => handedOver.push(id));
  return handedOver;
}

describe('a project that nobody scored, where a model is configured', () => {
  it('is handed over and looked at again, until the judge is done', async () => {
    const { id, entries } = await unscored();
    assert.deepEqual(await advance(), [id]);
    assert.deepEqual(await state(id), { selection: null, due: world.at(30_000) });
    assert.deepEqual(await advance(), []);
    world.advance(30_000);
    await recordState(id, 'running');
    assert.deepEqual(await advance(), [id]);
    await recordState(id, 'scored');
    await db`
      update submissions set score = 4, score_source = 'ai', scored_at = ${world.at()}
      where id = any(${entries.map((entry) => entry.id)})`;
    // Done at once: the turn says so to the timers.
    const turns = createAiTurns({ ...world.deps, ...AI });
    turns.take(id);
    await turns.run(signal);
    assert.deepEqual((await state(id)).due, world.at());
    assert.deepEqual(await advance(), []);
    assert.equal((await state(id)).selection, 'ai');
  });

  it('is split where the judge gave up', async () => {
    const { id } = await unscored();
    await recordState(id, 'impossible');
    assert.deepEqual(await advance(), []);
    assert.equal((await state(id)).selection, 'split');
  });

  it('never asks the judge where the poster scored', async () => {
    const { id } = await world.judged([null, 1], { judging_hours: 1 });
    world.advance(HOUR_MS);
    assert.deepEqual(await advance(), []);
    assert.equal((await state(id)).selection, 'scores');
  });
});

describe('the turns of the AI judge', () => {
  it('leave a decided project alone, and end when they are told to', async () => {
    const { id, entries } = await world.judged([null]);
    await recordState(id, 'impossible');
    await world.choose(id, entries[0]!.id);
    const turns = createAiTurns({ ...world.deps, ...AI });
    turns.take(id);
    await turns.run(AbortSignal.abort());
    await turns.run(signal);
    assert.equal((await state(id)).due, null);
  });

  it('begin no round after five minutes of a run: the rest is for the next one', async () => {
    const projects = [await unscored(), await unscored(), await unscored()].map(({ id }) => id);
    // Whoever looks at this clock makes it go on: a round of it takes several minutes.
    let minutes = 0;
    const clock = { now: () => world.at((minutes += 2) * 60_000) };
    const turns = createAiTurns({ ...world.deps, ...AI, clock });
    const begun = async () => (await db`select 1 from ai_judging where project_id = any(${projects})`).length;
    for (const id of projects) turns.take(id);
    await turns.run(signal);
    assert.equal(await begun(), 2);
    await turns.run(signal);
    assert.equal(await begun(), 3);
  });
});
