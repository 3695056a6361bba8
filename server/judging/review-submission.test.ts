import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import { refusal } from '../../test/support/worlds/projects-world.ts';
import { HOUR_MS, judgingWorld, WAIT_MS } from '../../test/support/worlds/judging-world.ts';
import { notesOf } from './notes/note-queries.ts';
import type { Config } from '../config.ts';
import { advanceProjects as advanceAll } from './advance-projects.ts';

const { db } = await testDatabase();
const world = await judgingWorld(db);
const { review, openProject, enter, judged, note } = world;

const stored = async (id: string) =>
  (await db`select score, score_source, feedback, scored_at from submissions where id = ${id}`)[0];

const notedProject = await openProject();
const draftOf = async (entryId: string) => (await notesOf(db, [entryId])).get(entryId)?.feedbackDraft ?? null;

// The settings of this world change while projects are open. Each project keeps the rules of its terms.
const agreedRules = { autoPayoutHoldHours: 2, closeNoticeMinutes: 10, silenceShareCap: 3 } as Config;

const agreed = await judgingWorld(db, { config: agreedRules });

// `deps` belongs to that world alone, so the test may change its settings.
const agreedSettings = agreed.deps.config;

const changedRules = {
  autoPayoutHoldHours: 48,
  closeNoticeMinutes: 600,
  silenceShareCap: 100,
  confirmGraceSeconds: 90,
  platformFeePpm: 500_000,
};

async function afterTheChange<T>(work: () => Promise<T>): Promise<T> {
  const before = { ...agreedSettings };
  Object.assign(agreedSettings, changedRules);
  try {
    return await work();
  } finally {
    Object.assign(agreedSettings, before);
  }
}

/** Ends the entries, the grace of a late one, and the judging of a project. Returns the notice, the hold, and what is owed. */
async function end(id: string) {
  await agreed.close(id);
  const { closes_at } = await agreed.read(id);
  const noticeMs = Date.parse(closes_at ?? '') - agreed.at().getTime();
  agreed.advance(noticeMs);
  const states: string[] = [];
  for (const waitMs of [0, WAIT_MS - 1_000, 1_000]) {
    agreed.advance(waitMs);
    await agreed.advanceProjects();
    states.push((await agreed.read(id)).status);
  }
  assert.deepEqual(states, ['open', 'open', 'judging']);
  agreed.advance(HOUR_MS);
  await agreed.advanceProjects();
  const { result_on_hold: hold } = await agreed.read(id);
  const holdMs = Date.parse(hold?.pay_after ?? '') - agreed.at().getTime();
  agreed.advance(holdMs);
  await agreed.advanceProjects();
  const shares = (await agreed.owed(id)).filter((line) => line.startsWith('share'));
  return { noticeMinutes: noticeMs / 60_000, holdHours: holdMs / HOUR_MS, share: shares[0]?.split(' ')[1] };
}

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
    const kept = { score: 5, score_source: 'poster', feedback: 'Flat light', scored_at: world.at() };
    assert.deepEqual(await stored(entry.id), kept, 'the feedback stays');
    await review(id, entry.id, { score: 5, feedback: '' });
    assert.deepEqual(await stored(entry.id), { ...kept, feedback: '' });
  });

  it("replaces the AI judge's score and feedback", async () => {
    const id = await openProject();
    const entry = await enter(id, { score: 1, scoreSource: 'ai' });
    await db`update submissions set feedback = 'Blurred' where id = ${entry.id}`;
    await review(id, entry.id, { score: 4 });
    const { score_source: source, feedback } = (await stored(entry.id)) ?? {};
    assert.deepEqual([source, feedback], ['poster', '']);
    // Feedback of a poster without a score: an award was reopened.
    const told = await enter(id);
    await db`update submissions set feedback = 'Calm' where id = ${told.id}`;
    await review(id, told.id, { score: 4 });
    assert.equal((await stored(told.id))?.['feedback'], 'Calm');
  });

  it('takes feedback without a score after the award only', async () => {
    const { id, entries } = await judged([null, 2]);
    const [unscored, scored] = entries.map((entry) => entry.id) as [string, string];
    assert.deepEqual(
      (await refusal(review(id, scored, { feedback: 'Later' }), 'VALIDATION_ERROR')).details?.map(({ field }) => field),
      ['score'],
    );
    await world.choose(id, unscored);
    assert.match(
      (await refusal(review(id, unscored, { score: 5 }), 'PROJECT_STATE_CONFLICT')).message,
      /judging.*awarded/,
    );
    assert.equal((await review(id, scored, { feedback: 'Too dark' })).score, 2);
    await review(id, unscored, { feedback: 'The one' });
    assert.deepEqual(
      [
        (await stored(scored))?.['feedback'],
        (await stored(unscored))?.['feedback'],
        (await stored(unscored))?.['score'],
      ],
      ['Too dark', 'The one', null],
    );
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
});

describe('noteEntry', () => {
  it('writes one field and leaves the other as it is', async () => {
    const entry = await enter(notedProject);
    const { updated_at: _, ...first } = await note(notedProject, entry.id, { mark: 'shortlist' });
    assert.deepEqual(first, {
      project_id: notedProject,
      submission_id: entry.id,
      mark: 'shortlist',
      feedback_draft: null,
    });
    assert.equal((await note(notedProject, entry.id, { feedback_draft: '  Calm ' })).mark, 'shortlist');
    const { mark, feedback_draft } = await note(notedProject, entry.id, { mark: null });
    assert.deepEqual([mark, feedback_draft], [null, 'Calm']);
    assert.equal((await note(notedProject, entry.id, { feedback_draft: null })).feedback_draft, null);
  });
});

describe('the draft of feedback', () => {
  it('is replaced by feedback that is sent', async () => {
    const entry = await enter(notedProject);
    await note(notedProject, entry.id, { mark: 'shortlist', feedback_draft: 'Calm water' });
    await review(notedProject, entry.id, { score: 4, feedback: 'Calm water, and room for the title' });
    assert.equal(await draftOf(entry.id), null);
    assert.equal((await notesOf(db, [entry.id])).get(entry.id)?.mark, 'shortlist');
  });

  it('stays if a score comes without feedback, because its text exists nowhere else', async () => {
    const entry = await enter(notedProject);
    await note(notedProject, entry.id, { feedback_draft: 'Calm water' });
    await review(notedProject, entry.id, { score: 4 });
    assert.equal(await draftOf(entry.id), 'Calm water');
    await note(notedProject, entry.id, { feedback_draft: '' });
    await review(notedProject, entry.id, { score: 4 });
    assert.equal(await draftOf(entry.id), null);
  });
});

describe('a setting that changes while a project is open', () => {
  it('does not change the notice, the grace, the hold, and the cap of its terms', async () => {
    const id = await agreed.openProject({ judging_hours: 1 });
    for (const confirmed of [true, true, false]) await agreed.enter(id, { confirmed });
    const ended = await afterTheChange(() => end(id));
    assert.deepEqual(ended, { noticeMinutes: 10, holdHours: 2, share: '750000' });
  });

  it('does not change what its winner receives', async () => {
    const id = await agreed.openProject({ judging_hours: 1 });
    const entry = await agreed.enter(id);
    await agreed.close(id);
    agreed.advance(10 * 60_000);
    await agreed.advanceProjects();
    await afterTheChange(() => agreed.choose(id, entry.id));
    assert.match((await agreed.owed(id)).join(), /^prize 95000000 /);
  });

  it('does not let a model judge if the terms do not name it', async () => {
    const id = await agreed.openProject({ judging_hours: 1 });
    await agreed.enter(id);
    const ai = {} as NonNullable<typeof agreed.deps.ai>;
    await agreed.close(id);
    agreed.advance(10 * 60_000);
    await advanceAll({ ...agreed.deps, ai });
    agreed.advance(HOUR_MS);
    await advanceAll({ ...agreed.deps, ai });
    assert.equal((await agreed.read(id)).result_on_hold?.selection, 'silence');
  });
});
