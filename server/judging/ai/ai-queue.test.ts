import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testDatabase } from '../../../test/support/test-database.ts';
import { advanceProjects } from '../advance-projects.ts';
import { createAiQueue } from './ai-queue.ts';
import { HOUR_MS, judgingWorld } from '../../../test/support/worlds/judging-world.ts';

// Tests the timers while the AI judge works. Its rounds are tested in ai-judging.test.ts.

const { db } = await testDatabase();
type AiDeps = Parameters<typeof createAiQueue>[0];
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

describe('a project without scores, with a model configured', () => {
  it('is handed over and checked again until the judge is done', async () => {
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
    // The queue brings the next check forward when the judge is done.
    const turns = createAiQueue({ ...world.deps, ...AI });
    turns.add(id);
    await turns.run(signal);
    assert.deepEqual((await state(id)).due, world.at());
    assert.deepEqual(await advance(), []);
    assert.equal((await state(id)).selection, 'ai');
  });

  it('is left to silence if the judge gave up', async () => {
    const { id } = await unscored();
    await recordState(id, 'impossible');
    assert.deepEqual(await advance(), []);
    assert.equal((await state(id)).selection, 'silence');
  });

  it('never asks the judge if the poster scored an entry', async () => {
    const { id } = await world.judged([null, 1], { judging_hours: 1 });
    world.advance(HOUR_MS);
    assert.deepEqual(await advance(), []);
    assert.equal((await state(id)).selection, 'scores');
  });
});

describe('the queue of the AI judge', () => {
  it('skips a decided project, and stops when it is told to', async () => {
    const { id, entries } = await world.judged([null]);
    await recordState(id, 'impossible');
    await world.choose(id, entries[0]!.id);
    const turns = createAiQueue({ ...world.deps, ...AI });
    turns.add(id);
    await turns.run(AbortSignal.abort());
    await turns.run(signal);
    assert.equal((await state(id)).due, null);
  });

  it('starts no round after five minutes of a run, and leaves the rest to the next run', async () => {
    const projects = [await unscored(), await unscored(), await unscored()].map(({ id }) => id);
    // Each read advances this clock, as if a round took several minutes.
    let minutes = 0;
    const clock = { now: () => world.at((minutes += 2) * 60_000) };
    const turns = createAiQueue({ ...world.deps, ...AI, clock });
    const begun = async () => (await db`select 1 from ai_judging where project_id = any(${projects})`).length;
    for (const id of projects) turns.add(id);
    await turns.run(signal);
    assert.equal(await begun(), 2);
    await turns.run(signal);
    assert.equal(await begun(), 3);
  });
});
