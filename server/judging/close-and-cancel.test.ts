import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import { FUNDER, refusal, refusedAlike } from '../../test/support/worlds/projects-world.ts';
import { HOUR_MS, judgingWorld, WAIT_MS } from '../../test/support/worlds/judging-world.ts';
import { wrongRefunds } from '../reconciliation/payout-queries.ts';
import { getProject } from '../projects/market/get-project.ts';
import { toldEvents } from '../../test/support/told-events.ts';

const { db } = await testDatabase();
const world = await judgingWorld(db);
const { close, openProject, enter, advance, cancel, read, operatorCancel, disqualify, judged } = world;

describe('closeProject', () => {
  it('lets paid entries be confirmed during the grace period, and takes no new entries', async () => {
    const id = await openProject({ judging_hours: 1 });
    await enter(id);
    await enter(id, { confirmed: false });
    const now = world.at();
    const { message, project } = await close(id);
    assert.match(message, new RegExp(`waits for the confirmation.* ${world.at(WAIT_MS).toISOString()}`));
    assert.deepEqual([project.status, project.closes_at], ['open', now.toISOString()]);
    // A second call within the grace period does not move the end.
    advance(10_000);
    assert.equal((await close(id)).project.closes_at, now.toISOString());
    const later = world.update(id, { auto_select_deadline: world.at(HOUR_MS).toISOString() });
    await refusal(later, 'PROJECT_STATE_CONFLICT');
    advance(WAIT_MS - 10_000);
    assert.equal(await world.advanceProjects(), 1);
    assert.deepEqual([(await world.read(id)).closed_at], [world.at().toISOString()]);
  });

  it('needs somebody who has entered, and refunds everything if that was all they did', async () => {
    const id = await openProject();
    await enter(id, { confirmed: false, fee: 'none' });
    assert.match((await refusal(close(id), 'PROJECT_STATE_CONFLICT')).message, /open.*cancel it instead/);
    const { payer } = await enter(id, { confirmed: false });
    assert.match((await close(id)).message, /waits for the confirmation/);
    advance(WAIT_MS);
    assert.match((await close(id)).message, /no entry to judge, so everything is refunded/);
    await world.advanceProjects();
    assert.equal((await read(id)).status, 'cancelled');
    assert.deepEqual(
      (await world.owed(id)).map((payout) => payout.split(' ')[2]),
      [FUNDER, payer],
    );
  });

  it('is rejected in any other status', async () => {
    await refusal(close(await world.draft()), 'PROJECT_STATE_CONFLICT');
    const { id } = await world.judged([null]);
    assert.match((await refusal(close(id), 'PROJECT_STATE_CONFLICT')).message, /is judging/);
  });
});

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
    const found = (await world.search({ status: 'cancelled' }, world.agent('elite'))).projects;
    assert.ok(!found.some((each) => each.id === id));
    assert.deepEqual(await world.owed(id), []);
    assert.deepEqual(await world.audited(`project:${id}`), ['project.cancel poster Budget is gone']);
  });

  it('waits for the outcome of a prize payment in progress', async () => {
    const id = await world.draft();
    await world.payment({ kind: 'escrow', subjectId: id, payer: FUNDER, amountMicro: 100_000_000 }, null);
    assert.match((await refusal(cancel(id), 'PROJECT_STATE_CONFLICT')).message, /draft.*being paid/);
    assert.equal((await read(id)).status, 'draft');
  });
});

describe('cancelProject of an open project', () => {
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
});

describe('cancelProjectAsOperator', () => {
  it('refunds the prize and the fees of an open project and of one in judging', async () => {
    // Projects of the tests above may be due.
    await world.advanceProjects();
    for (const isJudged of [false, true]) {
      const id = await openProject();
      const [entry, unconfirmed] = [await enter(id), await enter(id, { confirmed: false })];
      await enter(id, { confirmed: false, fee: 'none' });
      if (isJudged) {
        await world.close(id);
        world.advance(WAIT_MS);
        await world.advanceProjects();
      }
      const project = await operatorCancel(id, 'Stolen brief');
      assert.deepEqual(
        [project.status, project.cancel_reason, project.payout_status, project.payouts.length],
        ['cancelled', 'Stolen brief', 'pending', 3],
      );
      const refunds = [entry, unconfirmed].map(({ payer }) => `refund 250000 ${payer} ready`);
      assert.deepEqual(new Set(await world.owed(id)), new Set([`refund 100000000 ${FUNDER} ready`, ...refunds]));
      assert.deepEqual(await world.outcomes(id), ['cancelled null 0', 'null null 0', 'null null 0']);
      assert.equal((await world.transitions(id)).at(-1), `${isJudged ? 'judging' : 'open'} cancelled operator`);
      assert.deepEqual(await world.audited(`project:${id}`), ['project.cancel operator Stolen brief']);
      assert.equal(await world.advanceProjects(), 0);
    }
  });

  it('can keep the platform fee of the prize', async () => {
    const id = await openProject();
    await operatorCancel(id, 'Against the rules', true);
    assert.deepEqual(await world.owed(id), [`refund 95000000 ${FUNDER} ready`]);
  });

  it('does not refund a fee whose settlement is unknown; its booking refunds it', async () => {
    const id = await openProject();
    await enter(id, { confirmed: false, fee: 'settling' });
    await operatorCancel(id);
    assert.deepEqual(await world.owed(id), [`refund 100000000 ${FUNDER} ready`]);
  });

  it('is rejected after the award, for drafts, and for ended projects', async () => {
    const { id, entries } = await judged([null]);
    await world.choose(id, entries[0]!.id);
    assert.match((await refusal(operatorCancel(id), 'PROJECT_STATE_CONFLICT')).message, /judging.*awarded/);
    const open = await openProject();
    for (const status of ['draft', 'completed', 'cancelled']) {
      await world.setStatus(open, status);
      assert.match((await refusal(operatorCancel(open), 'PROJECT_STATE_CONFLICT')).message, new RegExp(status));
    }
    assert.deepEqual(await world.owed(open), []);
    await refusal(operatorCancel(randomUUIDv7()), 'PROJECT_NOT_FOUND');
  });
});

describe('disqualifySubmission', () => {
  it('disqualifies an entry once, with its reason in the audit trail', async () => {
    const id = await openProject();
    const entry = await enter(id);
    const result = await disqualify(id, entry.id, 'Traced');
    assert.deepEqual(result, {
      id: entry.id,
      project_id: id,
      agent_id: entry.agentId,
      disqualified_at: world.at().toISOString(),
      disqualify_reason: 'Traced',
    });
    world.advance(1000);
    assert.deepEqual(await disqualify(id, entry.id, 'Another reason'), result);
    assert.deepEqual(await world.audited(`submission:${entry.id}`), ['submission.disqualify operator Traced']);
    const data = { project_id: id, submission_id: entry.id, reason: 'Traced' };
    assert.deepEqual(await toldEvents(db, 'SUBMISSION.DISQUALIFIED', { submission_id: entry.id }), [
      { stream: `agent:${entry.agentId}`, data },
    ]);
  });

  it('is rejected after the award', async () => {
    const { id, entries } = await judged([null, null]);
    await world.choose(id, entries[0]!.id);
    await refusal(disqualify(id, entries[0]!.id), 'PROJECT_STATE_CONFLICT');
  });

  it('accepts only confirmed entries of that project', async () => {
    const [id, other] = [await openProject(), await openProject()];
    const [foreign, intent] = [await enter(other), await enter(id, { confirmed: false })];
    await refusedAlike(
      [foreign.id, intent.id, randomUUIDv7()].map((submission) => disqualify(id, submission)),
      'SUBMISSION_NOT_FOUND',
    );
    await refusal(disqualify(randomUUIDv7(), foreign.id), 'PROJECT_NOT_FOUND');
  });
});
