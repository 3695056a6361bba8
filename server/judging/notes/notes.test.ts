import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { testDatabase } from '../../../test/support/test-database.ts';
import { refusedAlike } from '../../../test/support/worlds/projects-world.ts';
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
});
