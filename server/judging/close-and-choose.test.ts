import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import { refusal, refusedAlike } from '../../test/support/worlds/projects-world.ts';
import { judgingWorld } from '../../test/support/worlds/judging-world.ts';

const MINUTE_MS = 60_000;
const { db } = await testDatabase();
// Two worlds on one database: without a notice of an early close, and with one of 15 minutes.
const world = await judgingWorld(db);
const noticed = await judgingWorld(db, { config: { closeNoticeMinutes: 15 } as never });

describe('closeAndChoose without a notice', () => {
  it('closes and awards in one transaction, once', async () => {
    const id = await world.openProject();
    const [winner, other] = [await world.enter(id), await world.enter(id)];
    const first = await world.closeAndChoose(id, winner.id);
    assert.match(first.message, /^Winner chosen/);
    const { status, selection, winner_submission_id, planned_winner_id } = first.project;
    assert.deepEqual(
      [status, selection, winner_submission_id, planned_winner_id],
      ['judging', 'poster', winner.id, null],
    );
    assert.deepEqual(await world.owed(id), ['prize 95000000 no-wallet waiting']);
    assert.deepEqual(await world.transitions(id), ['open judging poster']);
    assert.deepEqual(await world.audited(`project:${id}`), [
      'project.plan_winner poster null',
      'project.award poster null',
    ]);
    assert.deepEqual(await world.closeAndChoose(id, winner.id), first);
    assert.match((await refusal(world.closeAndChoose(id, other.id), 'PROJECT_STATE_CONFLICT')).message, /awarded/);
    assert.match((await refusal(world.closeAndChoose(id, null), 'PROJECT_STATE_CONFLICT')).message, /waits/);
    assert.equal((await world.owed(id)).length, 1);
  });

  it('waits for an entry that is under way, and awards when the grace period ends', async () => {
    const id = await world.openProject();
    const winner = await world.enter(id);
    await world.enter(id, { confirmed: false });
    const { message, project } = await world.closeAndChoose(id, winner.id);
    assert.match(message, /waits for the confirmation.* This entry wins then/);
    assert.deepEqual([project.status, project.planned_winner_id, project.selection], ['open', winner.id, null]);
    world.advance(30_000);
    assert.equal(await world.advanceProjects(), 1);
    const ended = await world.read(id);
    assert.deepEqual([ended.selection, ended.winner_submission_id], ['poster', winner.id]);
    assert.match((await world.audited(`project:${id}`)).at(-1)!, /^project.award poster/);
    // The poster shortened the time of the entry under way, so its fee goes back.
    const kinds = (await world.owed(id)).map((owed) => owed.split(' ')[0]);
    assert.deepEqual(new Set(kinds), new Set(['prize', 'refund']));
  });

  it('is rejected for a disqualified entry, a cancelled project, and a draft, and changes nothing then', async () => {
    const id = await world.openProject();
    const [entry] = [await world.enter(id), await world.enter(id)];
    await world.disqualify(id, entry.id);
    assert.match((await refusal(world.closeAndChoose(id, entry.id), 'PROJECT_STATE_CONFLICT')).message, /disqualified/);
    const { status, closes_at, planned_winner_id } = await world.read(id);
    assert.deepEqual([status, closes_at, planned_winner_id], ['open', null, null]);
    await world.operatorCancel(id);
    await refusal(world.closeAndChoose(id, entry.id), 'PROJECT_STATE_CONFLICT');
    await refusal(world.closeAndChoose(await world.draft(), null), 'PROJECT_STATE_CONFLICT');
  });

  it("accepts neither intents, nor other projects' entries, nor other posters' projects", async () => {
    const [id, other] = [await world.openProject(), await world.openProject()];
    const [intent, foreign] = [await world.enter(id, { confirmed: false }), await world.enter(other)];
    await refusedAlike(
      [foreign.id, intent.id, randomUUIDv7()].map((submission) => world.closeAndChoose(id, submission)),
      'SUBMISSION_NOT_FOUND',
    );
    const stranger = await world.newPoster();
    await refusedAlike(
      [other, randomUUIDv7()].map((project) => world.closeAndChoose(project, foreign.id, stranger)),
      'PROJECT_NOT_FOUND',
    );
    assert.equal((await world.read(other)).status, 'open');
  });
});

describe('closeAndChoose with a notice', () => {
  const { closeAndChoose, read, openProject, enter } = noticed;

  it('never shortens the notice: the choice takes effect when it is over', async () => {
    const id = await openProject();
    const winner = await enter(id);
    const { message, project } = await closeAndChoose(id, winner.id);
    const closesAt = noticed.at(15 * MINUTE_MS).toISOString();
    assert.match(message, new RegExp(`confirmed until ${closesAt}.*This entry wins then`));
    assert.deepEqual([project.status, project.closes_at, project.planned_winner_id], ['open', closesAt, winner.id]);
    noticed.advance(MINUTE_MS);
    // The same request again moves nothing.
    assert.deepEqual(await closeAndChoose(id, winner.id), { message, project });
    // An entry that was under way is confirmed, and the poster prefers it.
    const late = await enter(id);
    assert.equal((await closeAndChoose(id, late.id)).project.closes_at, closesAt);
    noticed.advance(14 * MINUTE_MS);
    await noticed.advanceProjects();
    const ended = await read(id);
    assert.deepEqual(
      [ended.status, ended.selection, ended.winner_submission_id, ended.planned_winner_id],
      ['judging', 'poster', late.id, null],
    );
  });

  it('can be withdrawn, which leaves the close', async () => {
    const id = await openProject();
    const winner = await enter(id);
    await refusal(closeAndChoose(id, null), 'PROJECT_STATE_CONFLICT');
    await closeAndChoose(id, winner.id);
    const { project } = await closeAndChoose(id, null);
    assert.deepEqual([project.status, project.planned_winner_id], ['open', null]);
    assert.notEqual(project.closes_at, null);
    noticed.advance(15 * MINUTE_MS);
    await noticed.advanceProjects();
    assert.deepEqual([(await read(id)).status, (await read(id)).selection], ['judging', null]);
  });

  it('gives way to a disqualification, and judging begins as usual', async () => {
    const id = await openProject();
    const [winner] = [await enter(id), await enter(id)];
    await closeAndChoose(id, winner.id);
    await noticed.disqualify(id, winner.id);
    noticed.advance(15 * MINUTE_MS);
    await noticed.advanceProjects();
    assert.deepEqual([(await read(id)).status, (await read(id)).selection], ['judging', null]);
  });
});
