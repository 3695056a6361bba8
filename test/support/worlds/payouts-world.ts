import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import type { OperatorCaller } from '../../../server/callers.ts';
import type { Context } from '../../../server/deps.ts';
import type { Treasury } from '../../../server/x402/types.ts';
import { withTransaction } from '../../../server/db/transaction.ts';
import { escrowAccount, TREASURY } from '../../../server/ledger/accounts.ts';
import { postJournal } from '../../../server/ledger/post-journal.ts';
import { insertAgent, insertPoster, insertProject, insertSubmission } from '../rows/rows.ts';
import { collect, network, pay, paymentWorld, type Wallet } from './payment-world.ts';
import { payoutHandler, type SettledPayout } from '../../../server/payouts/payout-handler.ts';
import { type PayoutDeps, sendPayouts } from '../../../server/payouts/send-payouts.ts';
import { owePrize, oweShares, refundLatePayment } from '../../../server/payouts/owe.ts';
import { payoutOverviews } from '../../../server/payouts/overview.ts';
import { retryPayout } from '../../../server/payouts/retry-payout.ts';

const USDC = 1_000_000;

/**
 * Creates payouts on a real PostgreSQL and a real chain. Their projects have the prize in escrow, on chain and in the
 * ledger.
 */
export async function payoutsWorld(parts: { treasury?: Treasury } = {}) {
  const world = await paymentWorld(parts);
  const { db } = world;
  const settledPayouts: SettledPayout[] = [];
  const handler = payoutHandler(world.deps, {
    settled: async (_tx, settled) => void settledPayouts.push(settled),
    refused: async () => {},
  });
  const deps: PayoutDeps = {
    ...world.deps,
    network,
    config: {
      confirmations: 0,
      payoutCaps: { perTransferMicro: 1_000 * USDC, perDayMicro: 1_000_000 * USDC },
      minTransferMicro: USDC / 100,
    },
    payments: {
      ...world.deps.payments,
      payoutHandlers: { payout: handler, refund: handler },
      refundLatePayment: refundLatePayment(world.deps),
    },
  };

  /** Creates a project with one entry and its prize in escrow. `inTreasury: false` books the prize only in the ledger. */
  async function project({ prizeMicro = 5 * USDC, inTreasury = true } = {}): Promise<Ids> {
    const at = new Date();
    const projectId = await insertProject(db, at, { poster_id: await insertPoster(db, at), prize_micro: prizeMicro });
    const agentId = await insertAgent(db, at);
    const submissionId = await insertSubmission(db, at, { project_id: projectId, agent_id: agentId });
    if (inTreasury) await world.mintUsdc(world.payTo, prizeMicro);
    await withTransaction(db, (tx) =>
      postJournal(tx, {
        id: randomUUIDv7(),
        kind: 'escrow',
        paymentId: null,
        at: deps.clock.now(),
        lines: [
          { account: TREASURY, amountMicro: prizeMicro },
          { account: escrowAccount(projectId), amountMicro: -prizeMicro },
        ],
      }),
    );
    return { projectId, agentId, submissionId };
  }

  async function award(ids: Ids, amountMicro: number, to?: Wallet) {
    const { projectId } = ids;
    const owed = { ...ids, amountMicro, wallet: to?.address ?? null };
    await withTransaction(db, (tx) => owePrize(deps, tx, { projectId, award: owed, at: deps.clock.now() }));
  }

  async function payout(projectId: string) {
    const [found] = (await payoutOverviews(db, [projectId], 1)).get(projectId)?.payouts ?? [];
    return found ?? assert.fail(`project ${projectId} owes nothing`);
  }

  return {
    ...world,
    deps,
    /** The payouts that the settled handler received. */
    settledPayouts,
    with: (change: Partial<PayoutDeps>): PayoutDeps => ({ ...deps, ...change }),
    send: (of: PayoutDeps = deps) => sendPayouts(of, new AbortController().signal),
    caps: (perTransferMicro: number, perDayMicro: number): PayoutDeps => ({
      ...deps,
      config: { ...deps.config, payoutCaps: { perTransferMicro, perDayMicro } },
    }),
    project,
    award,
    payout,
    states: (all: Pick<Ids, 'projectId'>[]) =>
      Promise.all(all.map(async ({ projectId }) => (await payout(projectId)).state)),
    /** Owes the prize of a project of its own, to a new wallet if none is given. */
    async owed(amountMicro = USDC, to?: Wallet): Promise<Ids & { winner: Wallet }> {
      const winner = to ?? (await world.wallet(0));
      const ids = await project({ prizeMicro: amountMicro });
      await award(ids, amountMicro, winner);
      return { ...ids, winner };
    },
    /** Owes a share of the prize, which is all of it. Unlike a prize, it may be credited. */
    async owedShare(amountMicro: number, to: Wallet): Promise<Ids> {
      const ids = await project({ prizeMicro: amountMicro });
      const { projectId } = ids;
      const awards = [{ ...ids, amountMicro, wallet: to.address }];
      await withTransaction(db, (tx) => oweShares(deps, tx, { projectId, awards, at: deps.clock.now() }));
      return ids;
    },
    /** A wallet whose payment its subject no longer took, so that a refund is due. */
    async owedRefund(amountMicro = USDC): Promise<Wallet> {
      const payer = await world.wallet(amountMicro);
      const quote = world.quote({ amountMicro });
      const lock = async () => () => ({ refused: 'the project is cancelled' });
      const { entry_fee, escrow } = deps.payments.subjects;
      const subjects = { entry_fee: { ...entry_fee, lock }, escrow: { ...escrow, lock } };
      const refusing = { ...deps, payments: { ...deps.payments, subjects } };
      await assert.rejects(collect(refusing, quote, await pay(payer, quote)), { code: 'PAYMENT_FAILED' });
      return payer;
    },
    /** The operator sends a payout, whatever holds it. */
    retry: (payout_id: string, reason = 'Asked for') =>
      retryPayout({ ...deps, caller: { kind: 'operator' } } as unknown as Context<OperatorCaller>, {
        params: { payout_id },
        body: { reason },
      }),
    balance: (address: string) => deps.chain.balanceMicro(address),
  };
}

type Ids = { projectId: string; agentId: string; submissionId: string };
