import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import { advanceProjects as advanceWith } from './advance-projects.ts';
import { scheduleNextCheck } from '../projects/lifecycle.ts';
import { HOUR_MS, judgingWorld, WAIT_MS, WEEK_MS } from '../../test/support/worlds/judging-world.ts';

const { db } = await testDatabase();
const world = await judgingWorld(db);
const { openProject, enter, judged, read, advance, advanceProjects } = world;
const hours = { judging_hours: 1 };

const dueAt = async (id: string) =>
  (await db<{ due: Date | null }[]>`select due_at as due from projects where id = ${id}`)[0]?.due?.getTime() ?? null;

// Projects that one test leaves open must not be due in the next test.
beforeEach(() => db`update projects set due_at = null`);

describe('the deadline of an open project', () => {
  it('begins judging, also if it was moved, and the judging hours count from that moment', async () => {
    const id = await openProject({ judging_hours: 5 });
    await enter(id);
    await world.update(id, { auto_select_deadline: world.at(WEEK_MS + HOUR_MS).toISOString() });
    advance(WEEK_MS);
    assert.equal(await advanceProjects(), 0);
    advance(2 * HOUR_MS);
    assert.equal(await advanceProjects(), 1);
    const project = await read(id);
    assert.deepEqual(
      [project.status, project.closed_at, project.judging_ends_at, await dueAt(id)],
      ['judging', world.at().toISOString(), world.at(5 * HOUR_MS).toISOString(), world.at(5 * HOUR_MS).getTime()],
    );
    assert.deepEqual(await world.transitions(id), ['open judging timer']);
    assert.equal(await advanceProjects(), 0);
  });

  it('disqualifies an entry whose fee is lost, and cancels a project whose prize is lost', async () => {
    const id = await openProject();
    const [unpaid, paid] = [await enter(id), await enter(id)];
    const feeAgain = await world.vanish('entry_fee', unpaid.id);
    await feeAgain({ state: 'dead' });
    assert.deepEqual(await world.audited(`submission:${unpaid.id}`), [
      'submission.disqualify service Its entry fee is not on chain any more, and was not paid again.',
    ]);
    const prizeAgain = await world.vanish('escrow', id);
    await prizeAgain({ state: 'dead' });
    assert.equal(await advanceProjects(), 1);
    const project = await read(id);
    assert.deepEqual([project.status, project.cancel_reason], ['cancelled', 'Its prize is not on chain any more.']);
    assert.deepEqual(await world.owed(id), [`refund 250000 ${paid.payer} ready`]);
  });

  it('does not count a disqualified entry', async () => {
    const id = await openProject();
    const entry = await enter(id);
    await world.disqualify(id, entry.id);
    advance(WEEK_MS);
    await advanceProjects();
    const project = await read(id);
    assert.deepEqual([project.status, project.cancel_reason], ['cancelled', 'Every entry was disqualified.']);
    assert.deepEqual(await world.outcomes(id), ['cancelled null 0']);
  });

  for (const fee of ['settled', 'settling'] as const) {
    it(`waits for an entry whose fee is ${fee}, until what came in the grace period is recorded`, async () => {
      const id = await openProject();
      await enter(id);
      await enter(id, { confirmed: false, fee });
      advance(WEEK_MS);
      await advanceProjects();
      assert.deepEqual([(await read(id)).status, await dueAt(id)], ['open', world.at(WAIT_MS).getTime()]);
      advance(WAIT_MS - 1);
      assert.equal(await advanceProjects(), 0);
      advance(1);
      await advanceProjects();
      assert.equal((await read(id)).status, 'judging');
    });
  }

  it('does not wait for an unpaid entry', async () => {
    const id = await openProject();
    await enter(id);
    await enter(id, { confirmed: false, fee: 'none' });
    advance(WEEK_MS);
    await advanceProjects();
    assert.equal((await read(id)).status, 'judging');
  });

  it('is kept after days of downtime and after clock changes', async () => {
    const id = await openProject({ judging_hours: 1 });
    await enter(id);
    // A process whose clock is ahead checks too early. Nothing happens before the deadline.
    await db.begin((tx) => scheduleNextCheck(tx, id, world.at()));
    await advanceProjects();
    assert.deepEqual([(await read(id)).status, await dueAt(id)], ['open', world.at(WEEK_MS).getTime()]);
    advance(4 * WEEK_MS);
    await advanceProjects();
    assert.equal((await read(id)).status, 'judging');
    advance(-2 * WEEK_MS);
    assert.equal(await advanceProjects(), 0);
    assert.equal((await read(id)).judging_ends_at, world.at(2 * WEEK_MS + HOUR_MS).toISOString());
    advance(2 * WEEK_MS + HOUR_MS);
    await advanceProjects();
    assert.equal((await read(id)).selection, 'silence');
  });
});

describe('the end of judging', () => {
  it("awards the entry with the poster's highest score; equal scores go to the earlier confirmation", async () => {
    const { id, entries } = await judged([3, 5, null, 5], hours);
    advance(HOUR_MS - 1);
    assert.equal(await advanceProjects(), 0);
    advance(1);
    await advanceProjects();
    const project = await read(id);
    assert.deepEqual(
      [project.status, project.selection, project.winner_submission_id, project.payout_status],
      ['judging', 'scores', entries[1]!.id, 'waiting_for_wallet'],
    );
    assert.deepEqual(await world.outcomes(id), ['lost 3 0', 'won 1 95000000', 'lost 4 0', 'lost 2 0']);
    assert.deepEqual(await world.owed(id), ['prize 95000000 no-wallet waiting']);
    assert.equal(await dueAt(id), null);
    assert.deepEqual(await world.audited(`project:${id}`), ['project.award timer null']);
  });
});

describe('a project without scores, with a model configured', async () => {
  const judge = await judgingWorld(db, { ai: {} as never });
  const advanceAll = () => advanceWith(judge.deps);
  const stateOf = async (id: string) =>
    (await db<{ state: string }[]>`select state from ai_judging where project_id = ${id}`)[0]?.state;

  it('waits for the judge, and is left to silence if the judge gave up', async () => {
    const { id } = await judge.judged([null, null], hours);
    judge.advance(HOUR_MS);
    await advanceAll();
    assert.deepEqual([(await judge.read(id)).selection, await dueAt(id)], [null, judge.at(30_000).getTime()]);
    assert.equal(await stateOf(id), 'running');
    await db`update ai_judging set state = 'impossible' where project_id = ${id}`;
    judge.advance(30_000);
    await advanceAll();
    assert.equal((await judge.read(id)).selection, 'silence');
  });

  it('never asks the judge if the poster scored an entry', async () => {
    const { id } = await judge.judged([null, 2], hours);
    judge.advance(HOUR_MS);
    await advanceAll();
    assert.deepEqual([(await judge.read(id)).selection, await stateOf(id)], ['scores', undefined]);
  });
});

describe('a project that cannot be advanced', () => {
  it('is postponed for longer each time, and does not block other projects', async () => {
    const stuck = await openProject();
    await enter(stuck);
    // The trigger simulates any fault of one project: it rejects each change of status of this project.
    await db.unsafe(`create function refuse() returns trigger language plpgsql as $$ begin
      if new.project_id = '${stuck}' then raise exception 'refused'; end if; return new; end $$`);
    await db`create trigger refuse before insert on project_transitions for each row execute function refuse()`;
    advance(WEEK_MS);
    const other = await openProject({ auto_select_deadline: world.at(1).toISOString() });
    await enter(other);
    advance(1);
    await advanceProjects();
    assert.deepEqual([(await read(stuck)).status, (await read(other)).status], ['open', 'judging']);
    const waits: number[] = [];
    for (let round = 0; round < 14; round += 1) {
      const next = await dueAt(stuck);
      waits.push(next! - world.at().getTime());
      advance(waits.at(-1)!);
      await advanceProjects();
    }
    assert.ok(waits.every((wait, index) => index === 0 || wait >= waits[index - 1]!));
    assert.deepEqual([waits[0], waits.at(-1)], [1000, 600_000]);
    await db`drop trigger refuse on project_transitions`;
    advance(600_000);
    await advanceProjects();
    assert.equal((await read(stuck)).status, 'judging');
  });
});

describe('several processes', () => {
  it('advance each due project once', async () => {
    const projects = await Promise.all(Array.from({ length: 40 }, () => openProject()));
    for (const id of projects.slice(20)) await enter(id);
    advance(WEEK_MS);
    const moved = await Promise.all([advanceProjects(), advanceProjects(), advanceProjects()]);
    assert.equal(
      moved.reduce((sum, each) => sum + each, 0),
      40,
    );
    const rows = await db<{ count: number }[]>`
      select count(*) as count from project_transitions where project_id = any(${projects}) and from_status = 'open'
      group by project_id`;
    assert.deepEqual(
      rows.map(({ count }) => count),
      projects.map(() => 1),
    );
  });
});
