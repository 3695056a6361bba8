import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import { wrongRefunds } from '../reconciliation/payout-queries.ts';
import { getProject } from '../views/market/get-project.ts';
import { FUNDER, insertUndecidedPayment, refusal, refusedAlike } from '../../test/support/worlds/projects-world.ts';
import { judgingWorld } from '../../test/support/worlds/judging-world.ts';

const { db } = await testDatabase();
const world = await judgingWorld(db);
const { cancel, openProject, enter, read } = world;

describe('cancelProject of a draft', () => {
  it('keeps the draft with its reason, visible only to its poster', async () => {
    const id = await world.draft();
    const project = await cancel(id, { reason: ' Budget is gone ' });
    assert.deepEqual([project.status, project.cancel_reason], ['cancelled', 'Budget is gone']);
    const log =
      await db`select from_status, to_status, actor, reason from project_transitions where project_id = ${id}`;
    const actor = `poster:${world.poster.caller.posterId}`;
    assert.deepEqual([...log], [{ from_status: 'draft', to_status: 'cancelled', actor, reason: 'Budget is gone' }]);
    await refusal(getProject(world.agent('elite'), { params: { projectId: id } }), 'PROJECT_NOT_FOUND');
    assert.deepEqual((await world.search({ status: 'cancelled' }, world.agent('elite'))).projects, []);
    assert.deepEqual(await world.owed(id), []);
    assert.deepEqual(await world.audited(`project:${id}`), ['project.cancel poster Budget is gone']);
  });

  it('waits for the outcome of a prize payment in progress', async () => {
    const id = await world.draft();
    await insertUndecidedPayment(db, id);
    assert.match((await refusal(cancel(id), 'PROJECT_STATE_CONFLICT')).message, /draft.*being paid/);
    assert.equal((await read(id)).status, 'draft');
  });
});

describe('cancelProject of an open project', () => {
  it('refunds the prize while no agent has paid to enter', async () => {
    const id = await openProject();
    await enter(id, { confirmed: false, fee: 'none' });
    const project = await cancel(id, { reason: 'Another agency' });
    assert.deepEqual(
      [project.status, project.payout_status, project.payouts],
      [
        'cancelled',
        'pending',
        [{ kind: 'refund', submission_id: null, amount_micro: 100_000_000, status: 'pending', tx_hash: null }],
      ],
    );
    assert.deepEqual(await world.owed(id), [`refund 100000000 ${FUNDER} ready`]);
    assert.deepEqual(await world.audited(`project:${id}`), ['project.cancel poster Another agency']);
    assert.deepEqual(await world.transitions(id), ['open cancelled poster']);
    const found = (await world.search({ status: 'cancelled' })).projects;
    assert.ok(found.some((each) => each.id === id));
  });

  it('is free twice a day; from the third, the gas of the transfers is kept as revenue', async () => {
    const by = await world.newPoster();
    const cancelOne = async () => {
      const id = await openProject();
      await db`update projects set poster_id = ${by.caller.posterId} where id = ${id}`;
      await cancel(id, {}, by);
      return id;
    };
    const [first, second, third] = [await cancelOne(), await cancelOne(), await cancelOne()];
    for (const id of [first, second]) assert.deepEqual(await world.owed(id), [`refund 100000000 ${FUNDER} ready`]);
    assert.deepEqual(await world.owed(third), [`refund 99900000 ${FUNDER} ready`]);
    const kept = await db`
      select e.amount_micro as micro from ledger_entries e join ledger_entries o on o.journal_id = e.journal_id
      where e.account_id = 'revenue' and o.account_id = ${`escrow:${third}`}`;
    assert.deepEqual([...kept], [{ micro: -100_000 }]);
    assert.deepEqual([...(await wrongRefunds(db))], []);
    world.advance(24 * 3_600_000);
    assert.deepEqual(await world.owed(await cancelOne()), [`refund 100000000 ${FUNDER} ready`]);
  });

  it('is rejected once a fee is paid or settling, or an entry is confirmed; the operator can still cancel', async () => {
    const refused = async (id: string) => {
      assert.match((await refusal(cancel(id), 'PROJECT_STATE_CONFLICT')).message, /open.*only the operator/);
      assert.deepEqual([(await read(id)).status, await world.owed(id)], ['open', []]);
    };
    const [paid, settling, free] = [await openProject(), await openProject(), await openProject({ entry_fee: 0 })];
    await enter(paid, { confirmed: false });
    await enter(settling, { confirmed: false, fee: 'settling' });
    await enter(free, { fee: 'none' });
    for (const id of [paid, settling, free]) await refused(id);
  });

  it('is rejected in any later status, which the error names', async () => {
    const id = await openProject();
    for (const status of ['judging', 'completed', 'cancelled']) {
      await world.setStatus(id, status);
      assert.match((await refusal(cancel(id), 'PROJECT_STATE_CONFLICT')).message, new RegExp(`is ${status}`));
    }
  });

  it("answers for another poster's project as for a missing one, and does not change it", async () => {
    const id = await openProject();
    const stranger = await world.newPoster();
    await refusedAlike([cancel(id, {}, stranger), cancel(randomUUIDv7(), {}, stranger)], 'PROJECT_NOT_FOUND');
    assert.equal((await read(id)).status, 'open');
  });
});
