import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import { insertFile } from '../../test/support/rows/rows.ts';
import { judgingWorld, WAIT_MS, WEEK_MS } from '../../test/support/worlds/judging-world.ts';
import { FUNDER, refusal } from '../../test/support/worlds/projects-world.ts';
import type { Config } from '../config.ts';
import { accountBalances, feesAccount, REVENUE } from '../ledger/public.ts';
import { posterRecord } from '../projects/market/poster-record.ts';

const { db } = await testDatabase();
const world = await judgingWorld(db);
const { advance, advanceProjects, enter, openProject, poster, read } = world;

beforeEach(() => db`update projects set due_at = null`);

async function balances(projectId: string): Promise<{ fees: number; revenue: number }> {
  const fees = feesAccount(projectId);
  const all = await db.begin((tx) => accountBalances(tx, [fees, REVENUE]));
  return { fees: all.get(fees) ?? 0, revenue: all.get(REVENUE) ?? 0 };
}

/** The submissions whose fees go back. */
async function refunded(projectId: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select submission_id as id from payouts where project_id = ${projectId} and kind = 'refund' and submission_id is not null`;
  return rows.map(({ id }) => id).toSorted();
}

describe('noWinner', () => {
  it('gives the prize back less the platform fee, and every fee but those of junk and of what was never confirmed', async () => {
    const id = await openProject();
    const entries = [];
    for (const score of [1, 2, null]) entries.push(await enter(id, score === null ? {} : { score }));
    // A low score of the model is no judgment of the poster.
    entries.push(await enter(id, { score: 1, scoreSource: 'ai' }));
    await insertFile(db, world.at(), (await enter(id, { confirmed: false })).id);
    advance(WEEK_MS + WAIT_MS + 1);
    await db`update projects set due_at = ${world.at()} where id = ${id}`;
    await advanceProjects();
    const before = await balances(id);
    const { project, message } = await world.noWinner(id, 'None shows a loaf.');
    assert.match(message, /ended without a winner/);
    assert.deepEqual(
      [project.status, project.cancel_reason, project.no_winner_reason, project.cancelled_by],
      ['cancelled', 'no_winner', 'None shows a loaf.', 'poster'],
    );
    assert.equal((await world.owed(id))[0], `refund 95000000 ${FUNDER} ready`);
    assert.deepEqual(
      await refunded(id),
      entries
        .slice(1)
        .map((entry) => entry.id)
        .toSorted(),
    );
    const after = await balances(id);
    assert.equal(after.revenue - before.revenue, 5_000_000 + 2 * 250_000);
    assert.equal(after.fees, 3 * 250_000, 'what waits for its refund');
    const { no_winner } = await posterRecord(world.deps, poster.caller.posterId);
    assert.equal(no_winner, 1);
    await world.noWinner(id, 'None shows a loaf.');
    assert.equal((await world.owed(id)).length, 4);
    await refusal(world.choose(id, entries[1]!.id), 'PROJECT_STATE_CONFLICT');
  });

  it('closes an open project first and keeps the notice; the poster can still choose an entry instead', async () => {
    const noticed = await judgingWorld(db, { config: { closeNoticeMinutes: 15 } as Config });
    const [id, other] = [await noticed.openProject(), await noticed.openProject()];
    await refusal(noticed.noWinner(id, 'Nothing fits.'), 'PROJECT_STATE_CONFLICT');
    const entry = await noticed.enter(id);
    const { id: chosen } = await noticed.enter(other);
    const late = await noticed.enter(id, { confirmed: false });
    for (const each of [id, other]) {
      const { project } = await noticed.noWinner(each, 'Nothing fits.');
      assert.deepEqual([project.status, project.planned_no_winner, project.no_winner_reason], ['open', true, null]);
    }
    await noticed.closeAndChoose(other, chosen);
    noticed.advance(15 * 60_000 + WAIT_MS);
    await noticed.advanceProjects();
    assert.equal((await noticed.read(other)).winner_submission_id, chosen);
    assert.equal((await noticed.read(id)).no_winner_reason, 'Nothing fits.');
    // The poster shortened the time of the late one.
    assert.deepEqual(await refunded(id), [entry.id, late.id].toSorted());
  });

  it('of an open project asks its poster for no choice any more', async () => {
    const id = await openProject();
    await enter(id);
    await world.noWinner(id, 'None shows a loaf.');
    await db`update projects set due_at = ${world.at()} where id = ${id}`;
    advance(WEEK_MS);
    await advanceProjects();
    assert.equal((await read(id)).status, 'cancelled');
    const told = await db<{ type: string }[]>`
      select type from events where stream like 'poster:%' and data->>'project_id' = ${id}`;
    assert.deepEqual(
      told.map(({ type }) => type),
      ['PROJECT.CANCELLED'],
    );
  });

  it('is refused once an automatic result is on hold', async () => {
    const held = await judgingWorld(db, { config: { autoPayoutHoldHours: 24 } as Config });
    const { id } = await held.judged([null], { judging_hours: 1 });
    held.advance(3_600_000);
    await held.advanceProjects();
    await refusal(held.noWinner(id, 'Too late.'), 'PROJECT_STATE_CONFLICT');
  });
});

describe('the fee of an entry that was never confirmed', () => {
  type End = { lateMs?: number; failed?: boolean; inspectedMs?: number; looksTwice?: boolean };

  /**
   * A project that the timers look at `lateMs` after its deadline, with one entry that got an upload URL. `inspectedMs`: how
   * long they then find that a picture of a second entry is inspected, before it is refused. `looksTwice`: the first look
   * fails.
   */
  async function endedWith({ lateMs = 1, failed = false, inspectedMs = 0, looksTwice = false }: End) {
    const id = await openProject();
    const entries = [await enter(id, { confirmed: false })];
    if (inspectedMs > 0) entries.push(await enter(id, { confirmed: false }));
    const files = entries.map((entry) => entry.id);
    for (const file of files) await insertFile(db, world.at(), file);
    if (failed) await db`update submissions set service_failed_at = ${world.at()} where id = ${files[0]!}`;
    advance(WEEK_MS);
    if (inspectedMs > 0) await db`update media_files set confirm_requested_at = ${world.at()} where id = ${files[1]!}`;
    advance(WAIT_MS + lateMs);
    await db`update projects set due_at = ${world.at(-lateMs)} where id = ${id}`;
    const before = await balances(id);
    if (looksTwice) {
      await db`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`;
      await db`create trigger refuse before insert on project_transitions for each row execute function refuse()`;
      await advanceProjects();
      await db`drop function refuse cascade`;
      advance(600_000);
    }
    await advanceProjects();
    if (inspectedMs > 0) {
      assert.equal((await read(id)).status, 'open');
      advance(inspectedMs);
      await db`update media_files set status = 'refused' where id = ${files[1]!}`;
      await advanceProjects();
    }
    assert.equal((await read(id)).status, 'cancelled');
    const kept = (await balances(id)).revenue - before.revenue;
    return { refunds: (await refunded(id)).length, kept };
  }

  it('stays with the service at an ordinary end, also if pictures of others are inspected for long', async () => {
    assert.deepEqual(await endedWith({}), { refunds: 0, kept: 250_000 });
    assert.deepEqual(await endedWith({ inspectedMs: 600_000 }), { refunds: 0, kept: 500_000 });
  });

  it('goes back if the service was down at the deadline, or gave up the confirmation', async () => {
    const lateMs = 5 * 60_000 + 1;
    assert.deepEqual(await endedWith({ lateMs }), { refunds: 1, kept: 0 });
    assert.deepEqual(await endedWith({ lateMs, looksTwice: true }), { refunds: 1, kept: 0 });
    assert.deepEqual(await endedWith({ lateMs, inspectedMs: 1_000 }), { refunds: 2, kept: 0 });
    assert.deepEqual(await endedWith({ failed: true }), { refunds: 1, kept: 0 });
  });
});
