import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { testDatabase } from '../../../test/support/test-database.ts';
import { refusal, refusedAlike } from '../../../test/support/worlds/projects-world.ts';
import { judgingWorld } from '../../../test/support/worlds/judging-world.ts';
import { notesOf } from './public.ts';

const { db } = await testDatabase();
const world = await judgingWorld(db);
const { note, review, openProject, enter } = world;
const id = await openProject();
const draftOf = async (entryId: string) => (await notesOf(db, [entryId])).get(entryId)?.feedbackDraft ?? null;

describe('noteEntry', () => {
  it('writes one field and leaves the other as it is', async () => {
    const entry = await enter(id);
    const { updated_at: _, ...first } = await note(id, entry.id, { mark: 'shortlist' });
    assert.deepEqual(first, { project_id: id, submission_id: entry.id, mark: 'shortlist', feedback_draft: null });
    assert.equal((await note(id, entry.id, { feedback_draft: '  Calm ' })).mark, 'shortlist');
    const { mark, feedback_draft } = await note(id, entry.id, { mark: null });
    assert.deepEqual([mark, feedback_draft], [null, 'Calm']);
    assert.equal((await note(id, entry.id, { feedback_draft: null })).feedback_draft, null);
  });

  it('changes neither score nor feedback, and works after the award', async () => {
    const { id: judged, entries } = await world.judged([4]);
    const entry = entries[0]!;
    await world.choose(judged, entry.id);
    await note(judged, entry.id, { mark: 'out', feedback_draft: 'Not sent' });
    const [row] = await db`select score, feedback from submissions where id = ${entry.id}`;
    assert.deepEqual(row, { score: 4, feedback: null });
  });

  it('answers for an intent and for others as for a missing entry', async () => {
    const other = await openProject();
    const [intent, foreign] = [await enter(id, { confirmed: false }), await enter(other)];
    await refusedAlike(
      [intent.id, foreign.id, randomUUIDv7()].map((entry) => note(id, entry, { mark: 'out' })),
      'SUBMISSION_NOT_FOUND',
    );
    const stranger = await world.newPoster();
    await refusedAlike(
      [other, randomUUIDv7()].map((project) => note(project, foreign.id, { mark: 'out' }, stranger)),
      'PROJECT_NOT_FOUND',
    );
    assert.equal((await notesOf(db, [intent.id, foreign.id])).size, 0);
  });
});

describe('the draft of feedback', () => {
  it('is replaced by feedback that is sent', async () => {
    const entry = await enter(id);
    await note(id, entry.id, { mark: 'shortlist', feedback_draft: 'Calm water' });
    await review(id, entry.id, { score: 4, feedback: 'Calm water, and room for the title' });
    assert.equal(await draftOf(entry.id), null);
    assert.equal((await notesOf(db, [entry.id])).get(entry.id)?.mark, 'shortlist');
  });

  it('stays if a score comes without feedback, because its text exists nowhere else', async () => {
    const entry = await enter(id);
    await note(id, entry.id, { feedback_draft: 'Calm water' });
    await review(id, entry.id, { score: 4 });
    assert.equal(await draftOf(entry.id), 'Calm water');
    await note(id, entry.id, { feedback_draft: '' });
    await review(id, entry.id, { score: 4 });
    assert.equal(await draftOf(entry.id), null);
  });

  it('stays if the review is refused', async () => {
    const { id: judged, entries } = await world.judged([4]);
    const entry = entries[0]!;
    await world.choose(judged, entry.id);
    await note(judged, entry.id, { feedback_draft: 'Too late' });
    await refusal(review(judged, entry.id, { score: 5, feedback: 'Too late' }), 'PROJECT_STATE_CONFLICT');
    assert.equal(await draftOf(entry.id), 'Too late');
  });

  it('ends in one of two states when drafts, marks, and a review race', async () => {
    const entry = await enter(id);
    for (let round = 0; round < 20; round += 1) {
      await note(id, entry.id, { mark: null, feedback_draft: 'Before' });
      await Promise.all([
        note(id, entry.id, { feedback_draft: 'Typed' }),
        review(id, entry.id, { score: 3, feedback: 'Sent' }),
        note(id, entry.id, { mark: 'out' }),
      ]);
      const state = (await notesOf(db, [entry.id])).get(entry.id);
      assert.ok(state?.feedbackDraft === null || state?.feedbackDraft === 'Typed', String(state?.feedbackDraft));
      assert.equal(state?.mark, 'out');
      const [row] = await db`select feedback from submissions where id = ${entry.id}`;
      assert.equal(row?.['feedback'], 'Sent');
    }
  });
});
