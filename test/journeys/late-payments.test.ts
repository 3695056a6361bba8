import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PAYMENT_TIMES } from '../../server/payments/deps.ts';
import { sweepPayments } from '../../server/payments/sweep.ts';
import { codeIs, entriesOf } from '../support/clients/entries.ts';
import { confirm, ledger, openProject, putPicture, requestUpload, testPicture } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// The service learns the outcome of an entry fee after the fee could still buy an entry.

const fault = { settle: false };
const world = await startWorld({
  wrap: ({ facilitator }) => ({
    facilitator: {
      ...facilitator,
      settle: (payment, prepared) =>
        fault.settle ? Promise.reject(new Error('timeout')) : facilitator.settle(payment, prepared),
    },
  }),
});
const { url, service, clock } = world;
const { db } = service.deps;
const { enter, richPayer, setDeadline } = entriesOf(world);

/** Pays before the deadline and settles the fee `seconds` after the deadline. */
async function settledAfterDeadline(seconds: number, given?: string) {
  service.deps.payments.waitMs = PAYMENT_TIMES.waitMs;
  const id = given ?? (await openProject(world)).id;
  const entry = await enter(id);
  const { pay, address } = await richPayer();
  fault.settle = true;
  service.deps.payments.waitMs = 200;
  codeIs(await requestUpload(url, { ...entry, fetch: pay }), 503, 'PAYMENT_PENDING');
  // The request can give up before its last look at the chain ends. That look sets the time of the next one.
  await until('nobody is looking', async () => {
    const [row] = await db<{ free: boolean }[]>`
      select lease_until is null as free from payments where subject_id = ${entry.submissionId}`;
    return row?.free;
  });
  fault.settle = false;
  clock.offsetMs += 31_000;
  const row = await clock.at(clock.now(), async () => {
    await setDeadline(id, -seconds);
    // The sweeper of the service may be working on the payment now.
    return await until('the settlement', async () => {
      await sweepPayments(service.deps);
      const [settled] = await db<{ paid: number; late: boolean }[]>`
      select s.entry_fee_paid_micro as paid, p.late from submissions s join payments p on p.subject_id = s.id
      where s.id = ${entry.submissionId} and p.state = 'settled'`;
      return settled;
    });
  });
  const { accounts, problems } = await ledger(world);
  assert.deepEqual(problems, []);
  const owed = accounts.find(({ account }) => account === `payable:${address}`)?.balance_micro;
  return { ...row, owed };
}

it('a late fee belongs to the project while its entry can still be confirmed', async () => {
  assert.deepEqual(await settledAfterDeadline(30), { paid: 250_000, late: false, owed: undefined });
});

it('a late fee is owed back to its payer afterwards', async () => {
  assert.deepEqual(await settledAfterDeadline(31), { paid: 0, late: true, owed: 250_000 });
});

it('a late fee goes back when entries end, because its agent never got an upload URL', async () => {
  service.deps.payments.waitMs = PAYMENT_TIMES.waitMs;
  const { id } = await openProject(world);
  const rival = await enter(id);
  const { pay } = await richPayer();
  const picture = await testPicture();
  const grant = await requestUpload(url, { ...rival, sizeBytes: picture.length, fetch: pay });
  await putPicture(grant.body.data.uploadUrl, picture);
  assert.equal((await confirm(url, rival.key, id, rival.submissionId)).status, 200);
  assert.deepEqual(await settledAfterDeadline(20, id), { paid: 250_000, late: false, owed: undefined });
  // `setDeadline` moved the deadline alone.
  clock.offsetMs += 60_000;
  await db`update projects set due_at = auto_select_deadline where id = ${id}`;
  const fees = await until('the end of entries', async () => {
    const rows = await db<{ amount: number; state: string }[]>`
      select amount_micro as amount, state from payouts where project_id = ${id} and kind = 'refund'`;
    return rows.length > 0 && rows;
  });
  assert.deepEqual(
    fees.map(({ amount }) => amount),
    [250_000],
  );
  const [project] = await db<{ status: string }[]>`select status from projects where id = ${id}`;
  assert.equal(project?.status, 'judging');
  assert.deepEqual((await ledger(world)).problems, []);
});
