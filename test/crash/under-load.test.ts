import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Answer, newPayer, signPayment } from '../support/clients/client.ts';
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
import { assertPending } from '../support/money/payment-answers.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';

// Many agents pay at once on two processes. SIGKILL ends each process at a random moment.

const FEE_MICRO = 50_000;
const FUNDS_MICRO = 1_000_000;
const AGENTS = 40;

const ground = await prepareWorld({ paymentTimes: { waitMs: 5_000, leaseMs: 1_500 } });
const services = [await ground.start(), await ground.start()];
const urls = services.map(({ url }) => url);
const url = urls[0]!;
const picture = await testPicture();
const project = await openProject({ url, mintUsdc: ground.mintUsdc }, { entryFeeUsdc: FEE_MICRO / 1e6 });

async function enter(index: number) {
  const { key } = await registerAgent(url);
  const { id } = await createIntent(url, key, project.id);
  const payer = newPayer();
  await ground.mintUsdc(payer.address, FUNDS_MICRO);
  const request = { key, projectId: project.id, submissionId: id, sizeBytes: picture.length };
  const headers = await signPayment(payer, expectStatus(await requestUpload(url, request), 402));
  let attempt = index;
  return {
    id,
    key,
    payer,
    /** Sends the same request again to the other process until it is granted, as a patient client does. */
    pay: () =>
      until(
        'the grant',
        async (): Promise<Answer | null> => {
          const answer = await requestUpload(urls[attempt++ % 2]!, { ...request, headers }).catch(() => null);
          if (answer === null || answer.status === 200) return answer;
          assertPending(answer);
          return null;
        },
        120_000,
      ),
  };
}

async function settledCount(): Promise<number> {
  const [row] = await ground.db<
    { count: number }[]
  >`select count(*) as count from payments where kind = 'entry_fee' and state = 'settled'`;
  return row?.count ?? 0;
}

async function killWhenSettled(which: 0 | 1, count: number): Promise<void> {
  await until(`${count} settled payments`, async () => (await settledCount()) >= count, 120_000);
  const killed = services[which]!;
  await killed.running.kill('SIGKILL');
  services[which] = await ground.start(Number(new URL(killed.url).port));
}

it(`${AGENTS} agents pay once each and all enter, whichever process is killed`, async () => {
  const entries = await Promise.all(Array.from({ length: AGENTS }, (_, index) => enter(index)));
  const half = AGENTS / 2;
  const early = entries.slice(0, half).map((entry) => entry.pay());
  await killWhenSettled(0, half / 4);
  const late = entries.slice(half).map((entry) => entry.pay());
  await killWhenSettled(1, half + half / 4);
  const answers = await Promise.all([...early, ...late]);

  const balances = await Promise.all(entries.map(({ payer }) => ground.chain.balanceMicro(payer.address)));
  assert.deepEqual(new Set(balances), new Set([FUNDS_MICRO - FEE_MICRO]), 'one fee left each wallet');
  assert.equal(await settledCount(), AGENTS);
  for (const [index, { key, id }] of entries.entries()) {
    assert.equal(await putPicture(answers[index]!.body.data.uploadUrl, picture), 200);
    expectStatus(await confirm(urls[index % 2]!, key, project.id, id), 200);
  }
  const books = await ledger({ url, operatorKey: ground.operatorKey });
  assert.deepEqual([books.problems, books.balanced, books.chain_matches, books.unknown_payments], [[], true, true, 0]);
  const fees = books.accounts.find(({ account }) => account === `fees:${project.id}`);
  assert.equal(fees?.balance_micro, AGENTS * FEE_MICRO);
});
