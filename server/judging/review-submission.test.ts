import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { judgingOperations } from '../../contract/projects/judging.ts';
import { testDatabase } from '../../test/support/test-database.ts';
import { refusal, refusedAlike } from '../../test/support/worlds/projects-world.ts';
import { judgingWorld } from '../../test/support/worlds/judging-world.ts';

const { db } = await testDatabase();
const world = await judgingWorld(db);
const { review, openProject, enter, judged } = world;
const stored = async (id: string) =>
  (await db`select score, score_source, feedback, scored_at from submissions where id = ${id}`)[0];

describe('reviewSubmission', () => {
  it('scores an entry of an open project or one in judging, and can change the score', async () => {
    const id = await openProject();
    const entry = await enter(id);
    assert.deepEqual(await review(id, entry.id, { score: 2, feedback: '  Flat light ' }), {
      project_id: id,
      submission_id: entry.id,
      score: 2,
      feedback: 'Flat light',
      scored_at: world.at().toISOString(),
    });
    await world.close(id);
    world.advance(1000);
    await review(id, entry.id, { score: 5 });
    assert.deepEqual(await stored(entry.id), { score: 5, score_source: 'poster', feedback: '', scored_at: world.at() });
  });

  it("replaces the AI judge's score", async () => {
    const id = await openProject();
    const entry = await enter(id, { score: 1, scoreSource: 'ai' });
    await review(id, entry.id, { score: 4 });
    assert.equal((await stored(entry.id))?.['score_source'], 'poster');
  });

  it('is rejected after the award', async () => {
    const { id, entries } = await judged([null, null]);
    await world.choose(id, entries[0]!.id);
    assert.match(
      (await refusal(review(id, entries[1]!.id, { score: 5 }), 'PROJECT_STATE_CONFLICT')).message,
      /judging.*awarded/,
    );
    assert.equal((await stored(entries[1]!.id))?.['score'], null);
  });

  it('is rejected for a cancelled project and a disqualified entry', async () => {
    const id = await openProject();
    const entry = await enter(id);
    await world.disqualify(id, entry.id);
    await refusal(review(id, entry.id, { score: 3 }), 'PROJECT_STATE_CONFLICT');
    const other = await enter(id);
    await world.operatorCancel(id);
    assert.match((await refusal(review(id, other.id, { score: 3 }), 'PROJECT_STATE_CONFLICT')).message, /is cancelled/);
  });

  it('accepts whole scores from 1 to 5 and at most 2000 characters', () => {
    const { body } = judgingOperations.reviewSubmission;
    for (const bad of [{}, { score: 0 }, { score: 6 }, { score: 2.5 }, { score: '3' }])
      assert.equal(body.safeParse(bad).success, false, JSON.stringify(bad));
    assert.equal(body.safeParse({ score: 3, feedback: 'x'.repeat(2001) }).success, false);
    assert.deepEqual(body.parse({ score: 3 }), { score: 3, feedback: '' });
  });

  it("accepts neither intents, nor other projects' entries, nor other posters' projects", async () => {
    const [id, other] = [await openProject(), await openProject()];
    const foreign = await enter(other);
    const intent = await enter(id, { confirmed: false });
    await refusedAlike(
      [foreign.id, intent.id, randomUUIDv7()].map((submission) => review(id, submission, { score: 1 })),
      'SUBMISSION_NOT_FOUND',
    );
    const stranger = await world.newPoster();
    await refusedAlike(
      [other, randomUUIDv7()].map((project) => review(project, foreign.id, { score: 1 }, stranger)),
      'PROJECT_NOT_FOUND',
    );
    assert.equal((await stored(foreign.id))?.['score'], null);
  });
});
