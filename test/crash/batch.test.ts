import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answer, newPayer, signPayment } from '../support/clients/client.ts';
import {
  createIntent,
  expectStatus,
  ledger,
  openProject,
  registerAgent,
  requestUpload,
} from '../support/clients/journey.ts';
import { assertPending } from '../support/clients/payment-answers.ts';
import type { CrashPoint } from '../support/processes/crashing-service.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';

// Several agents pay at the same moment, and their payments share a transaction. SIGKILL ends the process around its
// broadcast and between its bookings. After a restart, each agent has paid once and has its grant.

const FEE_MICRO = 250_000;
const FUNDS_MICRO = 1_000_000;
const AGENTS = 6;

const ground = await prepareWorld({
  env: { LIMIT_REGISTRATIONS_PER_HOUR: '1000000', LIMIT_POSTER_PER_MINUTE: '1000000' },
  paymentTimes: { waitMs: 5_000, leaseMs: 500 },
});
let service = await ground.start();
const { url } = service;

async function enter(projectId: string) {
  const { key } = await registerAgent(url);
  const { id } = await createIntent(url, key, projectId);
  const payer = newPayer();
  await ground.mintUsdc(payer.address, FUNDS_MICRO);
  const request = { key, projectId, submissionId: id, sizeBytes: 1000 };
  const headers = await signPayment(payer, expectStatus(await requestUpload(url, request), 402));
  return {
    id,
    payer,
    pay: (): Promise<Answer | null> => requestUpload(url, { ...request, headers }).catch(() => null),
  };
}

const cases: { name: string; point: CrashPoint; passes: number }[] = [
  { name: 'before the broadcast', point: 'before the broadcast', passes: 2 },
  { name: 'after the broadcast', point: 'after the broadcast', passes: 2 },
  { name: 'between two bookings', point: 'in the booking', passes: 3 },
];

describe('a crash while payments share a transaction', () => {
  for (const { name, point, passes } of cases)
    it(`${name}: each payment counts once`, async () => {
      const project = await openProject({ url, mintUsdc: ground.mintUsdc }, { entryFeeUsdc: FEE_MICRO / 1e6 });
      const entries = await Promise.all(Array.from({ length: AGENTS }, () => enter(project.id)));
      await service.crashAt(point, passes);
      // The first transaction takes what is ready by then, and the second one all others.
      await Promise.all(entries.map(({ pay }) => pay()));
      assert.equal(await service.running.ended, 'SIGKILL', service.running.output());
      service = await ground.start(Number(new URL(url).port));
      for (const { pay } of entries)
        await until('the grant', async () => {
          const answer = await pay();
          if (answer === null || answer.status === 200) return answer;
          assertPending(answer);
          return null;
        });
      const balances = await Promise.all(entries.map(({ payer }) => ground.chain.balanceMicro(payer.address)));
      assert.deepEqual(new Set(balances), new Set([FUNDS_MICRO - FEE_MICRO]));
      const rows = await ground.db<{ state: string; hash: string }[]>`
        select state, tx_hash as hash from payments where subject_id = any(${entries.map(({ id }) => id)})`;
      assert.equal(rows.length, AGENTS);
      assert.ok(rows.every(({ state }) => state === 'settled'));
      if (point !== 'before the broadcast') assert.ok(new Set(rows.map(({ hash }) => hash)).size < AGENTS);
      const books = await ledger({ url, operatorKey: ground.operatorKey });
      assert.deepEqual([books.problems, books.balanced, books.chain_matches], [[], true, true]);
      const fees = books.accounts.find(({ account }) => account === `fees:${project.id}`);
      assert.equal(fees?.balance_micro, AGENTS * FEE_MICRO);
    });
});
