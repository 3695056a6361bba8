import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { rpcClient } from '../../server/devnet/chain-rpc.ts';
import { call } from '../support/clients/client.ts';
import { choose, close, type Contestant, enter, FUNDS_MICRO } from '../support/clients/contestants.ts';
import { expectStatus, openProject, type OpenProject } from '../support/clients/journey.ts';
import { assertBooks, assertEnded } from '../support/endings/ending.ts';
import type { CrashPoint } from '../support/processes/crash-points.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';
import { holdingLane } from '../support/worlds/batch-world.ts';

// SIGKILL ends the process while it sends prizes and refunds, one by one or several in one transaction. After a restart,
// each recipient is paid once, and the projects end.

const PRIZE_MICRO = 1_000_000;
const RECEIVES_MICRO = 950_000;
const FEE_MICRO = 250_000;
const MANY = '1000000';
const ground = await prepareWorld({
  env: { LIMIT_POSTER_PER_MINUTE: MANY, LIMIT_PUBLIC_READS_PER_MINUTE: MANY, LIMIT_REGISTRATIONS_PER_HOUR: MANY },
  paymentTimes: { waitMs: 5_000, leaseMs: 500 },
});
const { db } = ground;
const rpc = rpcClient(ground.rpcUrl);
let service = await ground.start();
const { url } = service;
const market = { url, mintUsdc: ground.mintUsdc };

type Judged = { project: OpenProject; entries: [Contestant, ...Contestant[]] };

/** A project with a prize in escrow and paid entries, which waits for its decision. */
async function ready(count = 1): Promise<Judged> {
  const project = await openProject(market, { prizeUsdc: PRIZE_MICRO / 1e6, entryFeeUsdc: FEE_MICRO / 1e6 });
  const entries: Judged['entries'] = [await enter(market, project)];
  for (let seed = 2; seed <= count; seed += 1) entries.push(await enter(market, project, { seed }));
  expectStatus(await close(market, project), 200);
  return { project, entries };
}

/** Records the result of a ledger check. Payouts wait while the newest one found a mismatch. */
async function recordCheck(matches: boolean): Promise<void> {
  await db`
    insert into ledger_checks (id, checked_at, balanced, chain_matches, problems, block)
    select ${randomUUIDv7()}, greatest(now(), max(checked_at) + interval '1 ms'), true, ${matches},
      ${matches ? [] : ['a test']}, 1 from ledger_checks`;
}

/** The operator cancels one project, and the posters of the others choose winners. All payouts are due at once then. */
async function decide(canceled: Judged, won: Judged[], arm?: () => Promise<void>): Promise<void> {
  await recordCheck(false);
  const path = `/operator/projects/${canceled.project.id}/cancel`;
  expectStatus(await call(url, 'POST', path, { key: ground.operatorKey, body: { reason: 'A test' } }), 200);
  for (const { project, entries } of won) expectStatus(await choose(market, project, entries[0]), 200);
  await arm?.();
  await recordCheck(true);
}

async function statesOf(projects: Judged[]): Promise<string[]> {
  const rows = await db<{ state: string }[]>`
    select state from payouts where project_id = any(${projects.map(({ project }) => project.id)})`;
  return rows.map(({ state }) => state);
}

async function killed(): Promise<void> {
  assert.equal(await service.running.ended, 'SIGKILL', service.running.output());
}

async function restart(): Promise<void> {
  service = await ground.start(Number(new URL(url).port));
}

async function assertPaidOnce({ project, entries: [winner] }: Judged): Promise<void> {
  await assertEnded(
    { ...ground, url },
    {
      project,
      status: 'completed',
      selection: 'poster',
      winner: winner.submissionId,
      prizeMicro: PRIZE_MICRO,
      feesMicro: [FEE_MICRO],
      payoutsMicro: [RECEIVES_MICRO],
      refundsMicro: [],
      platformFeeMicro: PRIZE_MICRO - RECEIVES_MICRO,
      feesKeptMicro: FEE_MICRO,
      fates: [{ who: winner, status: 'won', rank: 1, earningsMicro: RECEIVES_MICRO }],
      balances: [
        [project.funder.address, 0],
        [winner.payer.address, FUNDS_MICRO - FEE_MICRO + RECEIVES_MICRO],
      ],
    },
  );
}

async function assertGivenBackOnce({ project, entries }: Judged): Promise<void> {
  await assertEnded(
    { ...ground, url },
    {
      project,
      status: 'cancelled',
      selection: null,
      winner: null,
      cancelReason: 'A test',
      prizeMicro: PRIZE_MICRO,
      feesMicro: entries.map(() => FEE_MICRO),
      payoutsMicro: [],
      refundsMicro: [PRIZE_MICRO, ...entries.map(() => FEE_MICRO)],
      platformFeeMicro: 0,
      feesKeptMicro: 0,
      fates: entries.map((who) => ({ who, status: 'cancelled' })),
      balances: [
        [project.funder.address, PRIZE_MICRO],
        ...entries.map(({ payer }): [string, number] => [payer.address, FUNDS_MICRO]),
      ],
    },
  );
}

describe('a prize and refunds', () => {
  /** `sent`: the database records that a transfer is being sent. */
  const points: { point: CrashPoint; sent: boolean }[] = [
    { point: 'in the claim of a payout', sent: false },
    { point: 'in the booking', sent: true },
  ];
  for (const { point, sent } of points)
    it(`are paid once if the crash was ${point}`, async () => {
      const [canceled, won] = [await ready(), await ready()];
      await decide(canceled, [won], () => service.crashAt(point));
      await killed();
      const states = await statesOf([canceled, won]);
      assert.equal(states.length, 3);
      assert.ok(states.includes(sent ? 'sending' : 'ready'), states.join());
      assert.ok(
        states.some((state) => state !== 'settled'),
        'nothing is booked of what it died of',
      );
      await restart();
      await assertPaidOnce(won);
      await assertGivenBackOnce(canceled);
    });
});

describe('payouts that share a transaction', () => {
  const PRIZES = 2;
  const FEES = 3;
  /** The fees of the canceled project, its prize, and the prizes of the others. */
  const PAYOUTS = FEES + 1 + PRIZES;
  /** The write that books a payout. */
  const BOOKING = "update payouts set state = 'settled'";
  type Case = { name: string; point: CrashPoint; write: string; mines: boolean; whileDead?: () => Promise<unknown> };
  const cases: Case[] = [
    { name: 'between two bookings', point: 'after the commit', write: BOOKING, mines: true },
    {
      name: 'after the broadcast, which is mined while the process is dead',
      point: 'after the broadcast',
      write: '',
      mines: false,
      whileDead: () => rpc('evm_mine', []),
    },
    {
      name: 'after the broadcast, which is dropped while the process is dead',
      point: 'after the broadcast',
      write: '',
      mines: false,
      whileDead: () => rpc('anvil_dropAllTransactions', []),
    },
  ];
  for (const { name, point, write, mines, whileDead } of cases)
    it(`are paid once each if the crash was ${name}`, async () => {
      const canceled = await ready(FEES);
      const won = await Promise.all(Array.from({ length: PRIZES }, () => ready()));
      const all = [canceled, ...won];
      await rpc('evm_setAutomine', [mines]);
      // The lane of the key is held until all are claimed, as while an earlier transaction waits for its block.
      await holdingLane(db, ground.facilitatorKey, async () => {
        await decide(canceled, won);
        await until('the claims', async () => (await statesOf(all)).every((state) => state === 'sending'));
        await service.crashAt(point, 1, write);
      });
      await killed();
      const states = await statesOf(all);
      assert.equal(states.length, PAYOUTS);
      const booked = states.filter((state) => state === 'settled').length;
      assert.equal(booked > 0 && booked < PAYOUTS, point === 'after the commit', `${booked} bookings`);
      await whileDead?.();
      await rpc('evm_setAutomine', [true]);
      await restart();
      await Promise.all([assertGivenBackOnce(canceled), ...won.map(assertPaidOnce)]);
    });
});

it('the books match the chain after all crashes', async () => {
  await assertBooks({ url, operatorKey: ground.operatorKey });
  const [row] = await db`
    select 1 from payouts p join payments m on m.subject_id = p.id left join ledger_journals j on j.payment_id = m.id
    group by p.id having count(distinct m.id) <> 1 or count(distinct j.id) <> 1`;
  assert.equal(row, undefined, 'each payout has one payment and one journal');
});
