import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { rpcClient } from '../../server/devnet/chain-rpc.ts';
import { call } from '../support/clients/client.ts';
import { choose, close, type Contestant, enter, FUNDS_MICRO } from '../support/clients/contestants.ts';
import { expectStatus, ledger, openProject, type OpenProject } from '../support/clients/journey.ts';
import type { CrashPoint } from '../support/processes/crash-points.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';
import { holdingLane, type SimulationWatch, watchSimulations } from '../support/worlds/batch-world.ts';

// Prizes and refunds that are due at once share a transaction. SIGKILL ends the process around its broadcast and between
// its bookings. After a restart, each recipient is paid once, and the books equal the chain.

const PRIZE_MICRO = 1_000_000;
const RECEIVES_MICRO = 950_000;
const FEE_MICRO = 250_000;
const PRIZES = 2;
const FEES = 3;
/** The fees of the canceled project, its prize, and the prizes of the others. */
const PAYOUTS = FEES + 1 + PRIZES;

let node: SimulationWatch | null = null;
const ground = await prepareWorld({
  env: Object.fromEntries(
    ['LIMIT_POSTER_PER_MINUTE', 'LIMIT_PUBLIC_READS_PER_MINUTE', 'LIMIT_REGISTRATIONS_PER_HOUR'].map((name) => [
      name,
      '1000000',
    ]),
  ),
  paymentTimes: { waitMs: 5_000, leaseMs: 500 },
  async nodeUrl(rpcUrl) {
    node = await watchSimulations(rpcUrl);
    return node.rpcUrl;
  },
});
let service = await ground.start();
const { url } = service;
const market = { url, mintUsdc: ground.mintUsdc };
const rpc = rpcClient(ground.rpcUrl);

/** A project that waits for its decision. */
async function ready(entries: number): Promise<{ project: OpenProject; contestants: Contestant[] }> {
  const project = await openProject(market, { prizeUsdc: PRIZE_MICRO / 1e6, entryFeeUsdc: FEE_MICRO / 1e6 });
  const contestants = [];
  for (let seed = 1; seed <= entries; seed += 1) contestants.push(await enter(market, project, { seed }));
  expectStatus(await close(market, project), 200);
  return { project, contestants };
}

type Ended = Awaited<ReturnType<typeof ready>>;

/** Records the result of a ledger check. Payouts wait while the newest one found a mismatch. */
async function recordCheck(matches: boolean): Promise<void> {
  await ground.db`
    insert into ledger_checks (id, checked_at, balanced, chain_matches, problems, block)
    select ${randomUUIDv7()}, greatest(now(), max(checked_at) + interval '1 ms'), true, ${matches},
      ${matches ? [] : ['a test']}, 1 from ledger_checks`;
}

/** The operator cancels one project, and the posters of the others choose their winners. All payouts are due at once then. */
async function decideAll(canceled: Ended, won: Ended[]): Promise<void> {
  await recordCheck(false);
  const path = `/operator/projects/${canceled.project.id}/cancel`;
  expectStatus(await call(url, 'POST', path, { key: ground.operatorKey, body: { reason: 'A test' } }), 200);
  for (const { project, contestants } of won) expectStatus(await choose(market, project, contestants[0]!), 200);
  await recordCheck(true);
}

const paidTo = ({ payer }: Contestant) => ground.chain.balanceMicro(payer.address);

async function payoutsOf(projects: Ended[]) {
  return await ground.db<{ state: string; payments: number; journals: number; transactions: number }[]>`
    select p.state, count(distinct m.id)::int as payments, count(distinct j.id)::int as journals,
      count(distinct m.tx_hash)::int as transactions
    from payouts p left join payments m on m.subject_id = p.id left join ledger_journals j on j.payment_id = m.id
    where p.project_id = any(${projects.map(({ project }) => project.id)}) group by p.id`;
}

type Case = { name: string; point: CrashPoint; isMined: boolean; mines: boolean; whileDead?(): Promise<unknown> };
const cases: Case[] = [
  { name: 'before the broadcast', point: 'before the broadcast', isMined: false, mines: true },
  { name: 'after the broadcast', point: 'after the broadcast', isMined: true, mines: true },
  { name: 'between two bookings', point: 'after the commit', isMined: true, mines: true },
  {
    name: 'after the broadcast, which is mined while the process is dead',
    point: 'after the broadcast',
    isMined: true,
    mines: false,
    whileDead: () => rpc('evm_mine', []),
  },
  {
    name: 'after the broadcast, which is dropped while the process is dead',
    point: 'after the broadcast',
    isMined: false,
    mines: false,
    whileDead: () => rpc('anvil_dropAllTransactions', []),
  },
];

/** The write that books a payout. */
const BOOKING = "update payouts set state = 'settled'";

describe('a crash while payouts share a transaction', () => {
  for (const { name, point, isMined, mines, whileDead } of cases)
    it(`${name}: each is paid once`, async () => {
      const canceled = await ready(FEES);
      const won = await Promise.all(Array.from({ length: PRIZES }, () => ready(1)));
      const all = [canceled, ...won];
      await rpc('evm_setAutomine', [mines]);
      // The lane of the key is held until all wait for it, as while an earlier transaction waits for its block.
      await holdingLane(ground.db, ground.facilitatorKey, async () => {
        const before = node!.simulated();
        await decideAll(canceled, won);
        await node!.untilQueued(before + PAYOUTS);
        // A busy process has read all answers of the node once it has answered these requests.
        for (let asked = 0; asked < 3; asked += 1) await (await fetch(`${url}/readyz`)).text();
        await service.crashAt(point, 1, point === 'after the commit' ? BOOKING : '');
      });
      assert.equal(await service.running.ended, 'SIGKILL', service.running.output());
      const killed = await payoutsOf(all);
      const booked = killed.filter(({ state }) => state === 'settled').length;
      assert.equal(killed.length, PAYOUTS);
      assert.equal(booked > 0 && booked < PAYOUTS, point === 'after the commit', `${booked} bookings`);
      await whileDead?.();
      await rpc('evm_setAutomine', [true]);
      const winners = won.map(({ contestants }) => contestants[0]!);
      const refunded = await Promise.all(canceled.contestants.map(paidTo));
      assert.deepEqual(new Set(refunded), new Set([isMined ? FUNDS_MICRO : FUNDS_MICRO - FEE_MICRO]));
      service = await ground.start(Number(new URL(url).port));
      await until('the payouts', async () => (await payoutsOf(all)).every(({ state }) => state === 'settled'));
      assert.deepEqual(
        (await payoutsOf(all)).map((row) => ({ ...row })),
        Array.from({ length: PAYOUTS }, () => ({ state: 'settled', payments: 1, journals: 1, transactions: 1 })),
      );
      const transactions = await ground.db<{ count: number }[]>`
        select count(*)::int as count from payouts
        where project_id = any(${all.map(({ project }) => project.id)}) group by tx_hash`;
      if (isMined)
        assert.deepEqual(
          transactions.map(({ count }) => count),
          [PAYOUTS],
        );
      assert.deepEqual(new Set(await Promise.all(canceled.contestants.map(paidTo))), new Set([FUNDS_MICRO]));
      assert.equal(await ground.chain.balanceMicro(canceled.project.funder.address), PRIZE_MICRO);
      assert.deepEqual(
        new Set(await Promise.all(winners.map(paidTo))),
        new Set([FUNDS_MICRO - FEE_MICRO + RECEIVES_MICRO]),
      );
      const books = await ledger({ url, operatorKey: ground.operatorKey });
      assert.deepEqual([books.problems, books.balanced, books.chain_matches], [[], true, true]);
    });
});
