import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call } from '../support/clients/client.ts';
import { choose, close, type Contestant, enter, FUNDS_MICRO } from '../support/clients/contestants.ts';
import type { CrashPoint } from '../support/processes/crash-points.ts';
import { assertEnded } from '../support/endings/ending.ts';
import { expectStatus, openProject, type OpenProject } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';

// SIGKILL ends the process around each outside call of a payout and a refund, and inside each of their transactions.
// After a restart, each recipient is paid once, the project ends, and the books match the chain.

const PRIZE_MICRO = 1_000_000;
const RECEIVES_MICRO = 950_000;
const FEE_MICRO = 250_000;

/** `sent`: the database records that the transfer is being sent. */
const points: { point: CrashPoint; sent: boolean }[] = [
  { point: 'in the claim of a payout', sent: false },
  { point: 'before signing', sent: true },
  { point: 'after signing', sent: true },
  { point: 'before settle', sent: true },
  { point: 'before the broadcast', sent: true },
  { point: 'after the broadcast', sent: true },
  { point: 'after settle', sent: true },
  { point: 'in the booking', sent: true },
];

const many = Object.fromEntries(
  ['LIMIT_POSTER_PER_MINUTE', 'LIMIT_PUBLIC_READS_PER_MINUTE'].map((name) => [name, '100000']),
);
const ground = await prepareWorld({ env: many, paymentTimes: { waitMs: 5_000, leaseMs: 500 } });
let service = await ground.start();
const { url } = service;
const market = { url, mintUsdc: ground.mintUsdc };
const scene = { ...ground, url };

type Case = { project: OpenProject; entry: Contestant };

/** A project with a prize in escrow, a paid entry fee, and an entry. It is ready for the decision. */
async function ready(): Promise<Case> {
  const project = await openProject(market, { prizeUsdc: PRIZE_MICRO / 1e6, entryFeeUsdc: FEE_MICRO / 1e6 });
  const entry = await enter(market, project);
  expectStatus(await close(market, project), 200);
  return { project, entry };
}

/** Starts a process on the same port as before. */
const startAgain = () => ground.start(Number(new URL(url).port));

async function dieAt(point: CrashPoint, sent: boolean, decide: () => Promise<unknown>, { project }: Case) {
  await service.crashAt(point);
  await decide();
  assert.equal(await service.running.ended, 'SIGKILL', service.running.output());
  const payouts = await ground.db<{ state: string }[]>`select state from payouts where project_id = ${project.id}`;
  const states = new Set(payouts.map(({ state }) => state));
  assert.ok(states.has(sent ? 'sending' : 'ready'), [...states].join());
  assert.ok(!states.has('settled') || states.size > 1, 'nothing is booked of what it died of');
  service = await startAgain();
}

/** The poster chooses the winner, and the service pays the prize. */
async function choosing({ project, entry }: Case): Promise<void> {
  expectStatus(await choose(market, project, entry), 200);
}

/** The operator cancels the project, and the service refunds the prize and the fee. */
async function canceling({ project }: Case): Promise<void> {
  const path = `/operator/projects/${project.id}/cancel`;
  expectStatus(await call(url, 'POST', path, { key: ground.operatorKey, body: { reason: 'A test' } }), 200);
}

async function assertPaidOnce({ project, entry }: Case): Promise<void> {
  await assertEnded(scene, {
    project,
    status: 'completed',
    selection: 'poster',
    winner: entry.submissionId,
    prizeMicro: PRIZE_MICRO,
    feesMicro: [FEE_MICRO],
    payoutsMicro: [RECEIVES_MICRO],
    refundsMicro: [],
    platformFeeMicro: PRIZE_MICRO - RECEIVES_MICRO,
    feesKeptMicro: FEE_MICRO,
    fates: [{ who: entry, status: 'won', rank: 1, earningsMicro: RECEIVES_MICRO }],
    balances: [
      [project.funder.address, 0],
      [entry.payer.address, FUNDS_MICRO - FEE_MICRO + RECEIVES_MICRO],
    ],
  });
}

async function assertGivenBackOnce({ project, entry }: Case): Promise<void> {
  await assertEnded(scene, {
    project,
    status: 'cancelled',
    selection: null,
    winner: null,
    cancelReason: 'A test',
    prizeMicro: PRIZE_MICRO,
    feesMicro: [FEE_MICRO],
    payoutsMicro: [],
    refundsMicro: [PRIZE_MICRO, FEE_MICRO],
    platformFeeMicro: 0,
    feesKeptMicro: 0,
    fates: [{ who: entry, status: 'cancelled' }],
    balances: [
      [project.funder.address, PRIZE_MICRO],
      [entry.payer.address, FUNDS_MICRO],
    ],
  });
}

const cases = await Promise.all([...points, null].map(async () => ({ prize: await ready(), refund: await ready() })));

for (const [index, { point, sent }] of points.entries()) {
  const { prize, refund } = cases[index]!;
  describe(`a crash ${point}`, () => {
    it('pays a prize once', async () => {
      await dieAt(point, sent, () => choosing(prize), prize);
      await assertPaidOnce(prize);
    });

    it('refunds a prize and a fee once', async () => {
      await dieAt(point, sent, () => canceling(refund), refund);
      await assertGivenBackOnce(refund);
    });
  });
}

describe('a crash right after the booking', () => {
  const { prize, refund } = cases.at(-1)!;

  it('has paid and pays no more', async () => {
    await Promise.all([choosing(prize), canceling(refund)]);
    await until('a payout is booked', async () => {
      const ids = [prize.project.id, refund.project.id];
      return (await ground.db`select 1 from payouts where project_id = any(${ids}) and state = 'settled'`).length > 0;
    });
    await service.running.kill('SIGKILL');
    service = await startAgain();
    await assertPaidOnce(prize);
    await assertGivenBackOnce(refund);
  });
});
