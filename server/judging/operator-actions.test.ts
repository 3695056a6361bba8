import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import { FUNDER, refusal, refusedAlike } from '../../test/support/worlds/projects-world.ts';
import { judgingWorld } from '../../test/support/worlds/judging-world.ts';
import { toldEvents } from '../../test/support/told-events.ts';

const { db } = await testDatabase();
const world = await judgingWorld(db);
const { operatorCancel, disqualify, judged, openProject, enter } = world;

describe('cancelProjectAsOperator', () => {
  it('refunds the prize and the fees of an open project and of one in judging', async () => {
    for (const isJudged of [false, true]) {
      const id = await openProject();
      const [entry, unconfirmed] = [await enter(id), await enter(id, { confirmed: false })];
      await enter(id, { confirmed: false, fee: 'none' });
      if (isJudged) {
        await world.close(id);
        world.advance(30_000);
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

  it('does not disqualify the last entry of a project in judging', async () => {
    const { id, entries } = await judged([null, null]);
    await disqualify(id, entries[0]!.id);
    assert.match(
      (await refusal(disqualify(id, entries[1]!.id), 'PROJECT_STATE_CONFLICT')).message,
      /cancel the project/,
    );
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
