import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PAYMENT_TIMES } from '../../server/payments/deps.ts';
import { sweepPayments } from '../../server/payments/sweep.ts';
import { codeIs, entriesOf } from '../support/clients/entries.ts';
import { ledger, openProject, requestUpload } from '../support/clients/journey.ts';
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
async function settledAfterDeadline(seconds: number) {
  service.deps.payments.waitMs = PAYMENT_TIMES.waitMs;
  const { id } = await openProject(world);
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
