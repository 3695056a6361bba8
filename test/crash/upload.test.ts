import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answer, newPayer, signPayment } from '../support/clients/client.ts';
import type { CrashPoint } from '../support/processes/crash-points.ts';
import {
  confirm,
  createIntent,
  expectStatus,
  ledger,
  openProject,
  putPicture,
  registerAgent,
  requestUpload,
  testPicture,
} from '../support/clients/journey.ts';
import { untilSettled } from '../support/money/payment-answers.ts';
import { prepareWorld, untilKilled } from '../support/processes/service-processes.ts';

// SIGKILL ends the process around each outside call of the paid upload request, and inside each of its transactions.
// After a restart, the agent pays once and enters once, whichever retry it tries.

const FEE_MICRO = 250_000;
const FUNDS_MICRO = 1_000_000;

/** `claimed`: the database has the claim of the signed payment, so that only its outcome can be the answer. */
const points: { point: CrashPoint; claimed: boolean }[] = [
  { point: 'before verify', claimed: false },
  { point: 'after verify', claimed: false },
  { point: 'in the claim', claimed: false },
  { point: 'before settle', claimed: true },
  { point: 'after settle', claimed: true },
  { point: 'after the receipt check', claimed: true },
  { point: 'in the booking', claimed: true },
  { point: 'before presign', claimed: true },
  { point: 'after presign', claimed: true },
  { point: 'before the answer', claimed: true },
];

const ground = await prepareWorld({ paymentTimes: { waitMs: 5_000, leaseMs: 700 } });
const picture = await testPicture();
let service = await ground.start();
const { url } = service;
const project = await openProject({ url, mintUsdc: ground.mintUsdc }, { entryFeeUsdc: FEE_MICRO / 1e6 });

/** Creates an agent with an intent and a funded wallet that signed two payments for the same fee. */
async function enter() {
  const agent = await registerAgent(url);
  const intent = await createIntent(url, agent.key, project.id);
  const payer = newPayer();
  await ground.mintUsdc(payer.address, FUNDS_MICRO);
  const ask = (headers: Record<string, string> = {}) =>
    requestUpload(url, {
      key: agent.key,
      projectId: project.id,
      submissionId: intent.id,
      sizeBytes: picture.length,
      headers,
    });
  const refusal = expectStatus(await ask(), 402);
  const [first, second] = [await signPayment(payer, refusal), await signPayment(payer, refusal)];
  return { agent, intent, payer, ask, first, second };
}

type Entry = Awaited<ReturnType<typeof enter>>;
/** Entries that have paid and wait for their picture. */
const granted: Entry[] = [];

async function dieAt(point: CrashPoint, { ask, first }: Entry): Promise<void> {
  await service.crashAt(point);
  await untilKilled(service, () => ask(first));
  await assertPlacesCounted();
  service = await ground.start(Number(new URL(url).port));
}

/** Asserts that the project counts as many places as it has fees that are paid or being paid. */
async function assertPlacesCounted(): Promise<void> {
  const [row] = await ground.db<{ taken: number; live: number }[]>`
    select places_taken as taken, (
      select count(*) from payments p join submissions s on s.id = p.subject_id
      where s.project_id = projects.id and p.kind = 'entry_fee' and p.state <> 'failed' and not p.late) as live
    from projects where id = ${project.id}`;
  assert.equal(row?.taken, row?.live, 'the places');
}

async function assertPaidOnce(entry: Entry, answer: Answer): Promise<void> {
  const { intent, payer, ask, first, second } = entry;
  await assertPlacesCounted();
  // The fee is paid, so either payment succeeds without another charge.
  for (const headers of [first, second]) expectStatus(await ask(headers), 200);
  assert.equal(await ground.chain.balanceMicro(payer.address), FUNDS_MICRO - FEE_MICRO, 'one fee left the wallet');
  const payments = await ground.db`select state, late from payments where subject_id = ${intent.id}`;
  assert.deepEqual(
    payments.map((row) => ({ ...row })),
    [{ state: 'settled', late: false }],
  );
  const submission = await ground.db`select entry_fee_paid_micro as paid from submissions where id = ${intent.id}`;
  assert.equal(submission[0]?.['paid'], FEE_MICRO);
  const files = await ground.db`select id from media_files where submission_id = ${intent.id} and status = 'pending'`;
  assert.equal(files.length, 1, 'one grant');

  const last = expectStatus(await ask(), 200);
  assert.notEqual(last.body.data.mediaFileId, answer.body.data.mediaFileId);
  assert.equal(await putPicture(last.body.data.uploadUrl, picture), 200);
  granted.push(entry);

  const books = await ledger({ url, operatorKey: ground.operatorKey });
  assert.deepEqual(books.problems, []);
  assert.deepEqual([books.balanced, books.chain_matches, books.unknown_payments], [true, true, 0]);
  const [{ settled } = { settled: 0 }] = await ground.db<{ settled: number }[]>`
    select sum(amount_micro)::bigint as settled from payments where state = 'settled'`;
  assert.equal(await ground.chain.balanceMicro(ground.treasury), settled, 'the treasury holds what the rows say');
}

for (const { point, claimed } of points) {
  describe(`a crash ${point}`, () => {
    it('takes one fee if the client sends the same payment again', async () => {
      const entry = await enter();
      await dieAt(point, entry);
      await assertPaidOnce(entry, await untilSettled(() => entry.ask(entry.first)));
    });

    it('takes one fee if the client requests a new quote and signs a second payment', async () => {
      const entry = await enter();
      await dieAt(point, entry);
      const [asked, signed] = await Promise.all([
        untilSettled(() => entry.ask()),
        untilSettled(() => entry.ask(entry.second)),
      ]);
      // After the claim, the service must not answer with a new 402. Before it, a 402 is correct.
      if (claimed) expectStatus(asked, 200);
      else assert.ok([200, 402].includes(asked.status), JSON.stringify(asked.body));
      await assertPaidOnce(entry, signed);
    });
  });
}

// In one process of the service, because each process starts its own decoders of pictures.
it('every agent that has paid enters', async () => {
  assert.equal(granted.length, 2 * points.length);
  for (const { agent, intent } of granted) expectStatus(await confirm(url, agent.key, project.id, intent.id), 200);
});
