import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import { refusal, refusedAlike } from '../../test/support/worlds/projects-world.ts';
import { judgingWorld, WAIT_MS } from '../../test/support/worlds/judging-world.ts';
import { findEntered } from '../agents/rankings/figures-queries.ts';
import { giveWins } from '../../test/support/rows/tier-awards.ts';

const { db } = await testDatabase();
const world = await judgingWorld(db);
const { choose, judged, openProject, enter } = world;
const MINUTE_MS = 60_000;

// Another world on the same database, with a notice of 15 minutes of an early close.
const noticed = await judgingWorld(db, { config: { closeNoticeMinutes: 15 } as never });

describe('chooseWinner', () => {
  it('returns the same answer for the same choice, and rejects another choice', async () => {
    const { id, entries } = await judged([null, null]);
    const first = await choose(id, entries[0]!.id);
    world.advance(1000);
    assert.deepEqual(await choose(id, entries[0]!.id), first);
    assert.match((await refusal(choose(id, entries[1]!.id), 'PROJECT_STATE_CONFLICT')).message, /awarded/);
    assert.equal((await world.owed(id)).length, 1);
  });

  it('sends the drafts of feedback, if the poster asks for it, except to a disqualified entry', async () => {
    const { id, entries } = await judged([4, null, null]);
    for (const entry of entries) await world.note(id, entry.id, { feedback_draft: `About ${entry.id}` });
    await world.disqualify(id, entries[2]!.id);
    await choose(id, entries[0]!.id, true);
    const rows = await db`
      select s.feedback, n.feedback_draft as draft from submissions s join entry_notes n on n.submission_id = s.id
      where s.project_id = ${id} order by s.submitted_at, s.id`;
    assert.deepEqual(
      rows.map(({ feedback, draft }) => [feedback, draft]),
      entries.map((entry, index) => (index < 2 ? [`About ${entry.id}`, null] : [null, `About ${entry.id}`])),
    );
  });

  it('is rejected outside of judging, and for a disqualified entry', async () => {
    const id = await openProject();
    const entry = await enter(id);
    assert.match((await refusal(choose(id, entry.id), 'PROJECT_STATE_CONFLICT')).message, /is open/);
    await enter(id);
    await world.close(id);
    await world.disqualify(id, entry.id);
    assert.match((await refusal(choose(id, entry.id), 'PROJECT_STATE_CONFLICT')).message, /disqualified/);
  });

  it('accepts neither intents nor entries of other projects', async () => {
    const [{ id }, other] = [await judged([null]), await judged([null])];
    const intent = await enter(id, { confirmed: false });
    const foreign = other.entries[0]!.id;
    await refusedAlike(
      [foreign, intent.id, randomUUIDv7()].map((submission) => choose(id, submission)),
      'SUBMISSION_NOT_FOUND',
    );
  });
});

describe('the stats of the agents', () => {
  const stats = async (agentId: string) => {
    const [row] = await db<Record<string, unknown>[]>`
      select wins, pending_micro as pending, scored_count as scored, score_sum as sum
      from agent_figures where agent_id = ${agentId} and scope = 'overall'`;
    const { successStreak, longestStreak } = await findEntered(db, agentId);
    return [...Object.values(row!), successStreak, longestStreak].join(' ');
  };

  it('count wins, scores, and streaks: a win extends a streak, a loss ends it, a share does not change it', async () => {
    const agents = await Promise.all([world.newAgent(), world.newAgent()]);
    const compete = async (scores: (number | null)[], end: (id: string, entries: string[]) => Promise<unknown>) => {
      const id = await openProject({ judging_hours: 0, prize_amount: 1 });
      const entries = [];
      for (const [index, agentId] of agents.entries()) {
        const score = scores[index] ?? null;
        entries.push((await enter(id, { agentId, ...(score === null ? {} : { score }) })).id);
      }
      await world.close(id);
      await end(id, entries);
    };
    const win = (index: number) => (id: string, entries: string[]) => choose(id, entries[index]!);
    await compete([5, 3], win(0));
    await compete([4, null], win(0));
    assert.deepEqual(await Promise.all(agents.map(stats)), ['2 1900000 2 9 2 2', '0 0 1 3 0 0']);
    await compete([null, null], () => world.advanceProjects());
    assert.deepEqual(await Promise.all(agents.map(stats)), ['2 2375000 2 9 2 2', '0 475000 1 3 0 0']);
    await compete([null, 2], win(1));
    assert.deepEqual(await Promise.all(agents.map(stats)), ['2 2375000 2 9 0 2', '1 1425000 2 5 1 1']);
  });

  const tierOf = async (id: string) =>
    (await db<{ tier: string }[]>`select tier from agents where id = ${id}`)[0]?.tier;

  it('raise the tier in the transaction of the win: pro at 10 wins, elite at 50; a tier never falls', async () => {
    const [id, rich] = [await world.newAgent(), await world.newAgent()];
    await db`update agents set tier = 'elite' where id = ${rich}`;
    for (const [wins, tier] of [
      [8, 'starter'],
      [9, 'pro'],
      [48, 'pro'],
      [49, 'elite'],
    ] as const) {
      await giveWins(db, id, wins);
      const project = await openProject();
      const entry = await enter(project, { agentId: id });
      await enter(project, { agentId: rich });
      await world.close(project);
      await choose(project, entry.id);
      assert.equal(await tierOf(id), tier);
    }
    assert.equal(await tierOf(rich), 'elite');
  });
});

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

  it('waits for an entry that is under way, and awards when its time is over', async () => {
    const id = await world.openProject();
    const winner = await world.enter(id);
    await world.enter(id, { confirmed: false });
    const { message, project } = await world.closeAndChoose(id, winner.id);
    assert.match(message, /waits for the confirmation.* This entry wins then/);
    assert.deepEqual([project.status, project.planned_winner_id, project.selection], ['open', winner.id, null]);
    world.advance(WAIT_MS);
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
});

describe('closeAndChoose with a notice', () => {
  it('never shortens the notice: the choice takes effect when it is over', async () => {
    const id = await noticed.openProject();
    const winner = await noticed.enter(id);
    const { message, project } = await noticed.closeAndChoose(id, winner.id);
    const closesAt = noticed.at(15 * MINUTE_MS).toISOString();
    assert.match(message, new RegExp(`confirmed until ${closesAt}.*This entry wins then`));
    assert.deepEqual([project.status, project.closes_at, project.planned_winner_id], ['open', closesAt, winner.id]);
    noticed.advance(MINUTE_MS);
    // The same request again moves nothing.
    assert.deepEqual(await noticed.closeAndChoose(id, winner.id), { message, project });
    // An entry that was under way is confirmed, and the poster prefers it.
    const late = await noticed.enter(id);
    assert.equal((await noticed.closeAndChoose(id, late.id)).project.closes_at, closesAt);
    noticed.advance(14 * MINUTE_MS);
    await noticed.advanceProjects();
    const ended = await noticed.read(id);
    assert.deepEqual(
      [ended.status, ended.selection, ended.winner_submission_id, ended.planned_winner_id],
      ['judging', 'poster', late.id, null],
    );
  });

  it('can be withdrawn, which leaves the close', async () => {
    const id = await noticed.openProject();
    const winner = await noticed.enter(id);
    await refusal(noticed.closeAndChoose(id, null), 'PROJECT_STATE_CONFLICT');
    await noticed.closeAndChoose(id, winner.id);
    const { project } = await noticed.closeAndChoose(id, null);
    assert.deepEqual([project.status, project.planned_winner_id], ['open', null]);
    assert.notEqual(project.closes_at, null);
    noticed.advance(15 * MINUTE_MS);
    await noticed.advanceProjects();
    assert.deepEqual([(await noticed.read(id)).status, (await noticed.read(id)).selection], ['judging', null]);
  });

  it('gives way to a disqualification, and judging begins as usual', async () => {
    const id = await noticed.openProject();
    const [winner] = [await noticed.enter(id), await noticed.enter(id)];
    await noticed.closeAndChoose(id, winner.id);
    await noticed.disqualify(id, winner.id);
    noticed.advance(15 * MINUTE_MS);
    await noticed.advanceProjects();
    assert.deepEqual([(await noticed.read(id)).status, (await noticed.read(id)).selection], ['judging', null]);
  });
});
