import { randomUUIDv7 } from 'node:crypto';
import type { Treasury } from '../../../server/x402/types.ts';
import { withTransaction } from '../../../server/db/transaction.ts';
import { escrowAccount, TREASURY } from '../../../server/ledger/accounts.ts';
import { postJournal } from '../../../server/ledger/post-journal.ts';
import { insertAgent, insertPoster, insertProject, insertSubmission } from '../rows/rows.ts';
import { network, paymentWorld, type Wallet } from './payment-world.ts';
import { payoutHandler, type SettledPayout } from '../../../server/payouts/payout-handler.ts';
import { type PayoutDeps, sendPayouts } from '../../../server/payouts/send-payouts.ts';
import { owePrize, oweShares, refundLatePayment } from '../../../server/payouts/owe.ts';
import { payoutOverviews } from '../../../server/payouts/overview.ts';

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
    async settled(_tx, payout) {
      settledPayouts.push(payout);
    },
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
    /**
     * Creates a project with one entry and its prize in escrow. `inTreasury: false` books the prize only in the ledger.
     */
    async project({ prizeMicro = 5 * USDC, inTreasury = true, wallet }: ProjectOptions = {}) {
      const ids = await insertRows(db, { prizeMicro, wallet: wallet?.address ?? null });
      if (inTreasury) await world.mintUsdc(world.payTo, prizeMicro);
      await withTransaction(db, (tx) =>
        postJournal(tx, {
          id: randomUUIDv7(),
          kind: 'escrow',
          paymentId: null,
          at: deps.clock.now(),
          lines: [
            { account: TREASURY, amountMicro: prizeMicro },
            { account: escrowAccount(ids.projectId), amountMicro: -prizeMicro },
          ],
        }),
      );
      return ids;
    },
    async award(ids: { projectId: string; submissionId: string; agentId: string }, amountMicro: number, to?: Wallet) {
      const award = { ...ids, amountMicro, wallet: to?.address ?? null };
      await withTransaction(db, (tx) => owePrize(deps, tx, { projectId: ids.projectId, award, at: deps.clock.now() }));
    },
    /** Owes a share of the prize. Unlike a prize, it may be credited. */
    async share(ids: { projectId: string; submissionId: string; agentId: string }, amountMicro: number, to: Wallet) {
      const awards = [{ ...ids, amountMicro, wallet: to.address }];
      await withTransaction(db, (tx) =>
        oweShares(deps, tx, { projectId: ids.projectId, awards, at: deps.clock.now() }),
      );
    },
    async payout(projectId: string) {
      const payout = (await payoutOverviews(db, [projectId], 1)).get(projectId)?.payouts[0];
      if (!payout) throw new Error(`project ${projectId} owes nothing`);
      return payout;
    },
    balance: (address: string) => deps.chain.balanceMicro(address),
  };
}

type ProjectOptions = { prizeMicro?: number; inTreasury?: boolean; wallet?: Wallet };
type World = Awaited<ReturnType<typeof paymentWorld>>;

async function insertRows(db: World['db'], { prizeMicro, wallet }: { prizeMicro: number; wallet: string | null }) {
  const at = new Date();
  const projectId = await insertProject(db, at, { poster_id: await insertPoster(db, at), prize_micro: prizeMicro });
  const proven = { wallet_address: wallet, wallet_proven: wallet !== null, wallet_linked_at: wallet && at };
  const agentId = await insertAgent(db, at, proven);
  const submissionId = await insertSubmission(db, at, { project_id: projectId, agent_id: agentId });
  return { projectId, agentId, submissionId };
}
