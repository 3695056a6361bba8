import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sweepPayments } from '../../server/payments/sweep.ts';
import type { Facilitator } from '../../server/ports/facilitator.ts';
import { signPayment } from '../support/clients/client.ts';
import { codeIs, entriesOf, type Entry } from '../support/clients/entries.ts';
import { expectStatus, ledger, openProject, requestUpload } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// A fee that fails, or that comes too late, gives its place back once.

let settle: Facilitator['settle'];
let fault: Facilitator['settle'] | null = null;
const world = await startWorld({
  wrap({ facilitator }) {
    settle = facilitator.settle.bind(facilitator);
    return { facilitator: { ...facilitator, settle: (...given) => (fault ?? settle)(...given) } };
  },
});
const { url, service, clock } = world;
const { db } = service.deps;
const { enter, richPayer, setDeadline, upload } = entriesOf(world);

async function takenOf(id: string): Promise<number> {
  const [row] = await db<{ taken: number }[]>`select places_taken as taken from projects where id = ${id}`;
  return row?.taken ?? -1;
}

async function fullProject(): Promise<{ id: string; waiting: Entry; next: Entry }> {
  const { id } = await openProject(world, { fields: { max_entries: 2 } });
  const [paid, waiting, next] = [await enter(id), await enter(id), await enter(id)];
  await upload(paid);
  return { id, waiting, next };
}

it('a refused fee frees its place, and its late execution frees nothing more', async () => {
  const { id, waiting, next } = await fullProject();
  const payer = await richPayer();
  const headers = await signPayment(payer, expectStatus(await requestUpload(url, waiting), 402));
  let kept: Parameters<Facilitator['settle']> | null = null;
  fault = async (...given) => {
    kept = given;
    assert.equal(await takenOf(id), 2, 'the claim holds the place');
    codeIs(await requestUpload(url, next), 409, 'PROJECT_FULL');
    return { success: false, errorReason: 'insufficient_funds', transaction: '' };
  };
  codeIs(await requestUpload(url, { ...waiting, headers }), 402, 'PAYMENT_FAILED');
  fault = null;
  assert.equal(await takenOf(id), 1);
  await upload(next);
  assert.equal(await takenOf(id), 2);

  await settle(...kept!);
  clock.offsetMs += 61_000;
  await until('the late payment is owed back', async () => {
    await sweepPayments(service.deps);
    const [row] = await db`select 1 from payments where subject_id = ${waiting.submissionId} and late`;
    return row;
  });
  assert.equal(await takenOf(id), 2);
  assert.deepEqual((await ledger(world)).problems, []);
});

it('a fee that settles after the grace period frees its place', async () => {
  const { id, waiting } = await fullProject();
  const { pay } = await richPayer();
  const { payments } = service.deps;
  const { waitMs } = payments;
  fault = () => Promise.reject(new Error('timeout'));
  payments.waitMs = 200;
  codeIs(await requestUpload(url, { ...waiting, fetch: pay }), 503, 'PAYMENT_PENDING');
  await until('nobody is looking', async () => {
    const [row] = await db<{ free: boolean }[]>`
      select lease_until is null as free from payments where subject_id = ${waiting.submissionId}`;
    return row?.free;
  });
  [fault, payments.waitMs] = [null, waitMs];
  assert.equal(await takenOf(id), 2);
  clock.offsetMs += 31_000;
  await setDeadline(id, -60);
  await until('the late payment is owed back', async () => {
    await sweepPayments(service.deps);
    const [row] = await db`select 1 from payments where subject_id = ${waiting.submissionId} and late`;
    return row;
  });
  assert.equal(await takenOf(id), 1);
});
