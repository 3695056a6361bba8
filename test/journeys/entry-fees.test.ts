import assert from 'node:assert/strict';
import { it } from 'node:test';
import { lapsePlaces, submissionIdsOf } from '../../server/entries/public.ts';
import { sweepPayments } from '../../server/payments/sweep.ts';
import type { Facilitator } from '../../server/x402/types.ts';
import { call, fund, newPayer, signPayment } from '../support/clients/client.ts';
import { codeIs, entriesOf, type Entry } from '../support/clients/entries.ts';
import {
  createIntent,
  expectStatus,
  ledger,
  openProject,
  registerAgent,
  requestUpload,
} from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Entry fees that fail, that settle too late to buy an entry, or that the wallet of the prize pays.

let settle: Facilitator['settle'];
let fault: Facilitator['settle'] | null = null;
const world = await startWorld({
  wrap({ facilitator }) {
    settle = facilitator.settle.bind(facilitator);
    return { facilitator: { ...facilitator, settle: (...given) => (fault ?? settle)(...given) } };
  },
});
const { url, service, clock } = world;
const { db, payments } = service.deps;
const patientMs = payments.waitMs;
const { enter, richPayer, setDeadline, upload } = entriesOf(world);

async function takenOf(id: string): Promise<number> {
  const [row] = await db<{ taken: number }[]>`select places_taken as taken from projects where id = ${id}`;
  return row?.taken ?? -1;
}

/** Sweeps as the service does, which may be working on the payment itself, until the payment is settled. */
async function settledFee({ submissionId }: Entry) {
  return await until('the settlement', async () => {
    await sweepPayments(service.deps);
    const [settled] = await db<{ paid: number; late: boolean }[]>`
      select s.entry_fee_paid_micro as paid, p.late from submissions s join payments p on p.subject_id = s.id
      where s.id = ${submissionId} and p.state = 'settled'`;
    return settled;
  });
}

/** Pays for an entry of a new project, while the facilitator does not answer. */
async function undecidedFee() {
  const { id } = await openProject(world, { fields: { max_entries: 2 } });
  const entry = await enter(id);
  const { pay, address } = await richPayer();
  fault = () => Promise.reject(new Error('timeout'));
  payments.waitMs = 200;
  codeIs(await requestUpload(url, { ...entry, fetch: pay }), 503, 'PAYMENT_PENDING');
  // The request can give up before its last look at the chain ends. That look sets the time of the next one.
  await until('nobody is looking', async () => {
    const [row] = await db<{ free: boolean }[]>`
      select lease_until is null as free from payments where subject_id = ${entry.submissionId}`;
    return row?.free;
  });
  assert.equal(await takenOf(id), 1, 'the claim holds the place');
  [fault, payments.waitMs] = [null, patientMs];
  return { id, entry, address };
}

/** The fee settles `seconds` after the deadline. */
async function settledAfterDeadline(seconds: number) {
  const { id, entry, address } = await undecidedFee();
  clock.offsetMs += 31_000;
  const row = await clock.at(clock.now(), async () => {
    await setDeadline(id, -seconds);
    const settled = await settledFee(entry);
    await lapsePlaces(service.deps);
    return settled;
  });
  const { accounts, problems } = await ledger(world);
  assert.deepEqual(problems, []);
  const owed = accounts.find(({ account }) => account === `payable:${address}`)?.balance_micro;
  return { ...row, owed, taken: await takenOf(id) };
}

it('a late fee belongs to the project while its entry can still be confirmed', async () => {
  assert.deepEqual(await settledAfterDeadline(30), { paid: 250_000, late: false, owed: undefined, taken: 1 });
});

it('a late fee is owed back to its payer afterwards, and frees its place', async () => {
  assert.deepEqual(await settledAfterDeadline(31), { paid: 0, late: true, owed: 250_000, taken: 0 });
});

/** Lets places lapse that are due in `seconds`. Returns how many of the project are taken then. */
async function takenIn(seconds: number, id: string): Promise<number> {
  await clock.at(new Date(clock.now().getTime() + seconds * 1000), () => lapsePlaces(service.deps));
  return await takenOf(id);
}

const HOLD_SECONDS = 60;
const holdShortly = (id: string) => db`update projects set place_hold_seconds = ${HOLD_SECONDS} where id = ${id}`;
const endHold = ({ submissionId }: Entry) =>
  db`update submissions set place_until = ${clock.now()} where id = ${submissionId}`;

it('a fee keeps its place while it settles, and has its whole time afterwards', async () => {
  const { id, entry } = await undecidedFee();
  await Promise.all([holdShortly(id), endHold(entry)]);
  assert.equal(await takenIn(1, id), 1);
  clock.offsetMs += 31_000;
  assert.deepEqual(await settledFee(entry), { paid: 250_000, late: false });
  assert.equal(await takenIn(HOLD_SECONDS - 30, id), 1);
  assert.equal(await takenIn(HOLD_SECONDS, id), 0);
});

it('a fee that settles long after its signature expired finds its place taken, and is owed back', async () => {
  const { id, entry } = await undecidedFee();
  await endHold(entry);
  assert.equal(await takenIn(3600, id), 0);
  await db`update projects set places_taken = max_entries where id = ${id}`;
  clock.offsetMs += 31_000;
  assert.deepEqual(await settledFee(entry), { paid: 0, late: true });
  assert.equal(await takenOf(id), 2);
});

async function bookedAfterItsAnswer(secondsLeft: number) {
  const { id } = await openProject(world);
  const entry = await enter(id);
  await setDeadline(id, secondsLeft);
  const answered = Promise.withResolvers<void>();
  fault = async (...given) => (await answered.promise, await settle(...given));
  payments.waitMs = 200;
  codeIs(await requestUpload(url, { ...entry, fetch: (await richPayer()).pay }), 503, 'PAYMENT_PENDING');
  answered.resolve();
  [fault, payments.waitMs] = [null, patientMs];
  assert.deepEqual(await settledFee(entry), { paid: 250_000, late: false });
  const unserved = await submissionIdsOf(db, id, 'unserved');
  await upload(entry);
  return unserved.length;
}

it('a fee that is booked after its request has answered counts as unserved if its repeat may come too late', async () => {
  assert.equal(await bookedAfterItsAnswer(200), 1);
  assert.equal(await bookedAfterItsAnswer(3_600), 0);
});

it('a refused fee frees its place', async () => {
  const { id } = await openProject(world, { fields: { max_entries: 2 } });
  const [paid, waiting, next] = [await enter(id), await enter(id), await enter(id)];
  await upload(paid);
  const payer = await richPayer();
  const headers = await signPayment(payer, expectStatus(await requestUpload(url, waiting), 402));
  fault = async (...given) => {
    // A refund that the test before left goes out meanwhile. It is no payment of this wallet.
    if (!JSON.stringify(given[0].payload).includes(payer.account.address)) return await settle(...given);
    assert.equal(await takenOf(id), 2, 'the claim holds the place');
    codeIs(await requestUpload(url, next), 409, 'PROJECT_FULL');
    return { success: false, errorReason: 'insufficient_funds', transaction: '' };
  };
  codeIs(await requestUpload(url, { ...waiting, headers }), 402, 'PAYMENT_FAILED');
  fault = null;
  assert.equal(await takenOf(id), 1);
  await upload(next);
});

const wallet = async (key: string) => (await call(url, 'GET', '/agents/me', { key })).body.data.wallet;

it('a wallet that funded a project cannot become the wallet of an agent in it, whatever else it pays', async () => {
  const free = await openProject(world, { entryFeeUsdc: 0 });
  const paid = await openProject(world);
  await fund(url, free.funder.address, 5);
  const { key } = await registerAgent(url);
  await createIntent(url, key, free.id);
  const { id: submissionId } = await createIntent(url, key, paid.id);
  const entry = { key, sizeBytes: 1_000 };
  const { pay } = free.funder;
  const answer = await requestUpload(url, { ...entry, projectId: paid.id, submissionId, fetch: pay });
  assert.equal(answer.status, 200, 'its fee elsewhere is good');
  const { address, proven } = await wallet(entry.key);
  assert.deepEqual({ address, proven }, { address: null, proven: false });
  // A later fee from another wallet links that wallet.
  const own = newPayer();
  await fund(url, own.address, 5);
  const third = await openProject(world);
  const next = await createIntent(url, entry.key, third.id);
  await requestUpload(url, { ...entry, projectId: third.id, submissionId: next.id, fetch: own.pay });
  assert.equal((await wallet(entry.key)).address, own.address);
});
