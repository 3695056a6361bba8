import { recordAudit } from '../audit/public.ts';
import { withTransaction } from '../db/public.ts';
import type { Deps } from '../deps.ts';
import { whyStopped } from '../ledger/public.ts';
import { settledPaymentsOf } from '../payments/public.ts';
import { isNoPayee, linkedWallet } from '../agents/public.ts';
import type { Db, Tx } from '../db/database.ts';

const AT_ONCE = 500;
const DAY_MS = 86_400_000;

type Unclaimed = { id: string; submissionId: string; projectId: string; kind: 'prize' | 'share' };

export type UnclaimedDeps = Pick<Deps, 'db' | 'clock' | 'newId' | 'log' | 'comparison'> & {
  config: Pick<Deps['config'], 'claimDays'>;
};

/**
 * Sends awards that have waited 14 days for a wallet to the wallet that paid their entry's fee: nobody has a better claim.
 * A prize that nobody can get this way lapses. Without that, one agent without a wallet would hold its poster's money and
 * picture forever. A share goes on waiting, and holds nobody up.
 *
 * @param lapse takes the award of a prize back, unless its agent has linked a wallet meanwhile
 */
export async function payUnclaimed(
  deps: UnclaimedDeps,
  stopping: AbortSignal,
  lapse: (prize: { projectId: string; payoutId: string }) => Promise<void>,
): Promise<void> {
  const before = new Date(deps.clock.now().getTime() - deps.config.claimDays * DAY_MS);
  let after: string | null = null;
  while (!stopping.aborted) {
    const found: Unclaimed[] = await listUnclaimed(deps.db, { before, after, limit: AT_ONCE });
    const fees = await settledPaymentsOf(
      deps.db,
      'entry_fee',
      found.map(({ submissionId }) => submissionId),
    );
    const payers = new Map(fees.map(({ subjectId, payer }) => [subjectId, payer]));
    for (const payout of found) {
      const recipient = payers.get(payout.submissionId);
      const isPaid = recipient !== undefined && (await payTo(deps, { ...payout, recipient }));
      if (!isPaid && payout.kind === 'prize') await lapse({ projectId: payout.projectId, payoutId: payout.id });
    }
    after = found.at(-1)?.id ?? null;
    if (found.length < AT_ONCE) return;
  }
}

async function payTo(deps: UnclaimedDeps, payout: Unclaimed & { recipient: string }): Promise<boolean> {
  const now = deps.clock.now();
  const { id, recipient } = payout;
  const given = await withTransaction(deps.db, async (tx) => {
    // A recovery may find that this payout is paid, to a wallet that the database has lost.
    if ((await whyStopped(deps, tx)) !== null || !(await giveRecipient(tx, { ...payout, now }))) return false;
    await recordAudit(deps, tx, {
      at: now,
      actor: 'service',
      action: 'payout.pay_unclaimed',
      subject: `payout:${id}`,
      details: { recipient },
    });
    return true;
  });
  if (given) deps.log.info({ payoutId: id }, 'a payout goes to the wallet that paid the entry fee');
  return given;
}

/**
 * Returns prizes and shares that have waited for a wallet since before `before`, by id, starting after `after`. An agent with
 * a linked wallet has claimed its award, and is about to get it. Index payouts_waiting, which few rows are in.
 */
async function listUnclaimed(
  db: Db,
  { before, after, limit }: { before: Date; after: string | null; limit: number },
): Promise<Unclaimed[]> {
  return await db<Unclaimed[]>`
    select id, submission_id as "submissionId", project_id as "projectId", kind from payouts
    where state = 'waiting' and created_at < ${before}
      and not exists (${linkedWallet(db, db`payouts.agent_id`)}) ${after === null ? db`` : db`and id > ${after}`}
    order by id limit ${limit}`;
}

/**
 * Gives a payout its recipient, which is final. Returns false if it does not wait any more for an award of this
 * submission, or if this wallet may not get the award of its agent.
 */
async function giveRecipient(
  tx: Tx,
  { id, submissionId, recipient, now }: Pick<Unclaimed, 'id' | 'submissionId'> & { recipient: string; now: Date },
): Promise<boolean> {
  const { count } = await tx`
    update payouts set recipient = ${recipient}, state = 'ready', note = null, due_at = ${now}
    where id = ${id} and submission_id = ${submissionId} and state = 'waiting'
      and not exists (${isNoPayee(tx, tx`payouts.agent_id`, recipient)})`;
  return count > 0;
}
