import assert from 'node:assert/strict';
import { rpcClient } from '../../../server/devnet/chain-rpc.ts';
import { type Answer, newPayer, type Payer, signPayment } from '../clients/client.ts';
import { createIntent, expectStatus, registerAgent, requestUpload } from '../clients/journey.ts';
import type { CrashPoint } from '../processes/crash-points.ts';
import type { CrashWorld } from '../processes/crash-world.ts';
import { until } from '../processes/processes.ts';
import { holdingLane } from '../worlds/batch-world.ts';
import { untilSettled } from './payment-answers.ts';

// Payments of a service that a test kills meanwhile.

export const FEE_MICRO = 250_000;
const FUNDS_MICRO = 3_000_000;

export type Pay = (headers?: Record<string, string>) => Promise<Answer>;
type SignedHeaders = Awaited<ReturnType<typeof signPayment>>;
export type Signed = { payer: Payer; pay: Pay; first: SignedHeaders; second: SignedHeaders };
export type Entry = Signed & { id: string; key: string; projectId: string };

/** A wallet that signed two payments for the same thing. */
export async function signedTwice({ mintUsdc }: CrashWorld, pay: Pay): Promise<Signed> {
  const payer = newPayer();
  await mintUsdc(payer.address, FUNDS_MICRO);
  const refusal = expectStatus(await pay(), 402);
  return { payer, pay, first: await signPayment(payer, refusal), second: await signPayment(payer, refusal) };
}

/** An agent that can pay for the upload of so many bytes. */
export async function signedEntry(world: CrashWorld, projectId: string, sizeBytes: number): Promise<Entry> {
  const { key } = await registerAgent(world.url);
  const { id } = await createIntent(world.url, key, projectId);
  const request = { key, projectId, submissionId: id, sizeBytes };
  const pay: Pay = (headers = {}) => requestUpload(world.url, { ...request, headers });
  return { key, id, projectId, ...(await signedTwice(world, pay)) };
}

/** Sends the lost payment, another one, and a request without a payment at once, until each has an outcome. */
export async function retryAll({ pay, first, second }: Signed, claimed: boolean): Promise<void> {
  const [asked, again, other] = await Promise.all(
    [{}, first, second].map((headers) => untilSettled(() => pay(headers))),
  );
  // After the claim, the service must not answer with a new 402. Before it, a 402 is correct.
  if (claimed) expectStatus(asked!, 200);
  else assert.ok([200, 402].includes(asked!.status), JSON.stringify(asked!.body));
  expectStatus(again!, 200);
  expectStatus(other!, 200);
}

export async function assertPaidOnce(
  { db, chain }: CrashWorld,
  { id, payer }: Signed & { id: string },
  micro: number,
): Promise<void> {
  assert.equal(await chain.balanceMicro(payer.address), FUNDS_MICRO - micro, 'one payment left the wallet');
  const payments = await db`select state, late from payments where subject_id = ${id}`;
  assert.deepEqual([...payments], [{ state: 'settled', late: false }]);
}

/** Asserts that the project counts as many places as it has fees that are paid or being paid. */
async function assertPlacesCounted({ db }: CrashWorld, projectId: string): Promise<void> {
  const [row] = await db<{ taken: number; live: number }[]>`
    select places_taken as taken, (
      select count(*) from payments p join submissions s on s.id = p.subject_id
      where s.project_id = projects.id and p.kind = 'entry_fee' and p.state <> 'failed' and not p.late) as live
    from projects where id = ${projectId}`;
  assert.equal(row?.taken, row?.live, 'the places');
}

/**
 * The service dies while it takes the entry fee, and takes it once after a restart. `claimed`: the database has the claim
 * of the signed payment, so that only its outcome can be the answer.
 */
export async function assertFeeTakenOnce(
  world: CrashWorld,
  entry: Entry,
  { point, claimed }: { point: CrashPoint; claimed: boolean },
): Promise<void> {
  const { projectId } = entry;
  await world.crashAt(point);
  await world.untilKilled(() => entry.pay(entry.first));
  await assertPlacesCounted(world, projectId);
  await world.restart();
  await retryAll(entry, claimed);
  await assertPaidOnce(world, entry, FEE_MICRO);
  await assertPlacesCounted(world, projectId);
  const files = await world.db`select 1 from media_files where submission_id = ${entry.id} and status = 'pending'`;
  assert.equal(files.length, 1, 'one grant');
}

/** What happens to a transaction of several payments: the process dies between two bookings, or after the broadcast. */
export type TogetherCase =
  | 'between two bookings'
  | 'mined while the process is dead'
  | 'dropped while the process is dead';

/** The methods of the development chain that mine or drop a transaction of the dead process. */
const whileDead: Partial<Record<TogetherCase, string>> = {
  'mined while the process is dead': 'evm_mine',
  'dropped while the process is dead': 'anvil_dropAllTransactions',
};

/**
 * Kills the process while it sends several transfers in one transaction, and starts it again. The lane of the key is held
 * until `claim` has made all of them wait for it, as while an earlier transaction waits for its block.
 */
export async function killTogether<T>(
  world: CrashWorld,
  fate: TogetherCase,
  parts: { claim: () => Promise<T>; bookingWrite: string; booked: () => Promise<number>; count: number },
): Promise<T> {
  const rpc = rpcClient(world.rpcUrl);
  const method = whileDead[fate];
  await rpc('evm_setAutomine', [method === undefined]);
  const claimed = await holdingLane(world.db, world.facilitatorKey, async () => {
    const result = await parts.claim();
    await world.crashAt(method ? 'after the broadcast' : 'after the commit', 1, method ? '' : parts.bookingWrite);
    return result;
  });
  await world.killed();
  const booked = await parts.booked();
  assert.equal(booked > 0 && booked < parts.count, method === undefined, `${booked} bookings`);
  if (method) await rpc(method, []);
  await rpc('evm_setAutomine', [true]);
  await world.restart();
  return claimed;
}

/** Several agents pay in one transaction, and the process dies. After a restart, each fee counts once. */
export async function assertFeesTakenTogether(world: CrashWorld, fate: TogetherCase, entries: Entry[]): Promise<void> {
  const ids = entries.map(({ id }) => id);
  const countOf = async (state: string) => {
    const rows = await world.db`select 1 from payments where subject_id = any(${ids}) and state = ${state}`;
    return rows.length;
  };
  const { answers } = await killTogether(world, fate, {
    async claim() {
      const paying = entries.map(({ pay, first }) => pay(first).catch(() => null));
      await until('the claims', async () => (await countOf('settling')) === entries.length);
      return { answers: Promise.all(paying) };
    },
    bookingWrite: 'entry_fee_paid_micro =',
    booked: () => countOf('settled'),
    count: entries.length,
  });
  await answers;
  for (const { pay, first } of entries) expectStatus(await untilSettled(() => pay(first)), 200);
  for (const entry of entries) await assertPaidOnce(world, entry, FEE_MICRO);
}
