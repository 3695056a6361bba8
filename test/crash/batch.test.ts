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
import { assertPending } from '../support/money/payment-answers.ts';
import { holdingLane, untilClaimed } from '../support/worlds/batch-world.ts';
import { rpcClient } from '../../server/devnet/chain-rpc.ts';
import type { CrashPoint } from '../support/processes/crash-points.ts';
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

type Case = {
  name: string;
  point: CrashPoint;
  /** How many payments are on chain when the service starts again. */
  mined: number;
  /** Whether blocks are mined while the process lives. */
  mines: boolean;
  whileDead?(): Promise<unknown>;
};
const rpc = rpcClient(ground.rpcUrl);
const cases: Case[] = [
  { name: 'before the broadcast', point: 'before the broadcast', mined: 0, mines: true },
  { name: 'after the broadcast', point: 'after the broadcast', mined: AGENTS, mines: true },
  { name: 'between two bookings', point: 'after the commit', mined: AGENTS, mines: true },
  {
    name: 'after the broadcast, which is mined while the process is dead',
    point: 'after the broadcast',

    mined: AGENTS,
    mines: false,
    whileDead: () => rpc('evm_mine', []),
  },
  {
    name: 'after the broadcast, which is dropped while the process is dead',
    point: 'after the broadcast',

    mined: 0,
    mines: false,
    whileDead: () => rpc('anvil_dropAllTransactions', []),
  },
];

describe('a crash while payments share a transaction', () => {
  for (const { name, point, mined, mines, whileDead } of cases)
    it(`${name}: each payment counts once`, async () => {
      const project = await openProject({ url, mintUsdc: ground.mintUsdc }, { entryFeeUsdc: FEE_MICRO / 1e6 });
      const entries = await Promise.all(Array.from({ length: AGENTS }, () => enter(project.id)));
      const ids = entries.map(({ id }) => id);
      await rpc('evm_setAutomine', [mines]);
      const paying = await holdingLane(ground.db, ground.facilitatorKey, async () => {
        const answers = entries.map(({ pay }) => pay());
        await untilClaimed(ground.db, ids);
        await service.crashAt(point);
        return answers;
      });
      await Promise.all(paying);
      assert.equal(await service.running.ended, 'SIGKILL', service.running.output());
      const [booked] = await ground.db<[{ count: number }]>`
        select count(*)::int as count from payments where subject_id = any(${ids}) and state = 'settled'`;
      assert.equal(booked.count > 0 && booked.count < AGENTS, point === 'after the commit', `${booked.count} bookings`);
      await whileDead?.();
      await rpc('evm_setAutomine', [true]);
      const paid = await Promise.all(entries.map(({ payer }) => ground.chain.balanceMicro(payer.address)));
      assert.equal(paid.filter((micro) => micro < FUNDS_MICRO).length, mined, 'the payments of the batch');
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
      const rows = await ground.db<{ state: string }[]>`
        select state from payments where subject_id = any(${ids})`;
      assert.equal(rows.length, AGENTS);
      assert.ok(rows.every(({ state }) => state === 'settled'));
      const books = await ledger({ url, operatorKey: ground.operatorKey });
      assert.deepEqual([books.problems, books.balanced, books.chain_matches], [[], true, true]);
      const fees = books.accounts.find(({ account }) => account === `fees:${project.id}`);
      assert.equal(fees?.balance_micro, AGENTS * FEE_MICRO);
    });
});
