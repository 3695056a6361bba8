import { recordAudit } from '../audit/public.ts';
import { withTransaction } from '../db/public.ts';
import type { Deps } from '../deps.ts';
import { recordAlert } from '../events/public.ts';
import type { ChainTransfer } from '../chain/types.ts';
import type { Queryable, Tx } from '../db/database.ts';
import { lockCaps } from './cap-queries.ts';
import { strayReference } from './references.ts';

/** The note of a payout that is held because its project has another end on chain. */
export const CONTRADICTED = 'the chain shows another end of its project; an operator must check it';

/** The note of a return that waits for the operator. */
export const MAY_BE_SPENT =
  'a transfer out of the treasury is not explained and may have spent this money; an operator must check it';

type Contradiction = { projectId: string; transfer: ChainTransfer };

/**
 * Records that money of a project left on chain for another end than the database has, and holds the project's unsettled
 * payouts. Payouts that the project owes later are held too. Only the operator releases them, one by one. Does nothing the
 * second time.
 */
export async function contradictProject(
  deps: Pick<Deps, 'db' | 'clock' | 'newId' | 'log'>,
  { projectId, transfer }: Contradiction,
): Promise<void> {
  const held = await withTransaction(deps.db, async (tx) => {
    // No sender claims a payout meanwhile.
    await lockCaps(tx);
    const at = deps.clock.now();
    if (!(await insertContradiction(tx, { projectId, transfer }))) return null;
    const payouts = await holdPayouts(tx, projectId);
    const { txHash, logIndex, to, amountMicro } = transfer;
    const subject = `project:${projectId}` as const;
    const details = {
      tx_hash: txHash,
      log_index: logIndex,
      recipient: to,
      amount_micro: amountMicro,
      held_payouts: payouts.length,
      held_micro: payouts.reduce((sum, payout) => sum + payout.amountMicro, 0),
    };
    await recordAudit(deps, tx, { at, actor: 'service', action: 'project.hold_payouts', subject, details });
    const message = 'The chain shows another end of this project. Its unsettled payouts are held.';
    await recordAlert(tx, at, { alert: 'payout_held', subject, message, details });
    return details;
  });
  if (held !== null) deps.log.error({ alert: 'payout_held', projectId, ...held }, CONTRADICTED);
}

/**
 * Holds the returns of these strays until the operator releases each. A recovery calls it while a transfer out of the treasury
 * is unknown: that transfer may be the prize of the very project whose money would go back. Does nothing the second time.
 */
export async function holdReturns(
  deps: Pick<Deps, 'db' | 'clock' | 'newId' | 'log'>,
  strayIds: string[],
): Promise<void> {
  const held = await withTransaction(deps.db, async (tx) => {
    // No sender claims a payout meanwhile.
    await lockCaps(tx);
    const at = deps.clock.now();
    const rows = await tx<{ id: string; amountMicro: number }[]>`
      update payouts set state = 'held', held_until = null, note = ${MAY_BE_SPENT}
      where reference = any(${strayIds.map(strayReference)}) and state = 'ready' and not released
      returning id, amount_micro as "amountMicro"`;
    for (const { id, amountMicro } of rows)
      await recordAlert(tx, at, {
        alert: 'payout_held',
        subject: `payout:${id}`,
        message: MAY_BE_SPENT,
        details: { amount_micro: amountMicro, until: null },
      });
    return rows;
  });
  for (const { id } of held)
    deps.log.warn({ payoutId: id, alert: 'payout_held', reason: MAY_BE_SPENT }, 'a payout is held');
}

async function insertContradiction(tx: Tx, { projectId, transfer }: Contradiction): Promise<boolean> {
  const { txHash, logIndex, amountMicro } = transfer;
  const { count } = await tx`
    insert into contradicted_projects (project_id, tx_hash, log_index, amount_micro)
    values (${projectId}, ${txHash}, ${logIndex}, ${amountMicro}) on conflict do nothing`;
  return count === 1;
}

/** The money of the project itself. A late payment that goes back was never the project's. */
const ofProject = (db: Queryable) => db`debit_account in ('escrow:' || project_id, 'fees:' || project_id)`;

/** A payout that waits for a wallet is held when it is due. One that is being sent keeps its state and is not signed. */
async function holdPayouts(tx: Tx, projectId: string): Promise<{ amountMicro: number }[]> {
  return await tx<{ amountMicro: number }[]>`
    update payouts set state = case when state in ('waiting', 'sending') then state else 'held' end, released = false,
      held_until = null, note = ${CONTRADICTED}
    where project_id = ${projectId} and state <> 'settled' and ${ofProject(tx)}
    returning amount_micro as "amountMicro"`;
}

/** Whether a payout waits for the operator because the chain shows another end of its project. */
export async function isContradicted(db: Queryable, payoutId: string): Promise<boolean> {
  return (await contradictedOf(db, [payoutId])).has(payoutId);
}

/** Returns those of the payouts whose projects have another end on chain, and which no operator released. Primary keys. */
export async function contradictedOf(db: Queryable, payoutIds: string[]): Promise<ReadonlySet<string>> {
  const rows = await db<{ id: string }[]>`
    select payouts.id from payouts join contradicted_projects using (project_id)
    where payouts.id = any(${payoutIds}::uuid[]) and not released and ${ofProject(db)}`;
  return new Set(rows.map(({ id }) => id));
}

/** The projects that owe payouts, or whose payouts are that new. Indexes payouts_unsettled, payouts_created. */
export async function projectsOwing(db: Queryable, since: Date): Promise<string[]> {
  const rows = await db<{ projectId: string }[]>`
    select distinct project_id as "projectId" from payouts
    where project_id is not null and (state <> 'settled' or created_at >= ${since})`;
  return rows.map(({ projectId }) => projectId);
}

/** Lets a payout that is being sent go on, although the chain shows another end of its project. */
export async function releaseSending(tx: Tx, id: string): Promise<void> {
  await tx`
    update payouts set released = true, note = null
    where id = ${id} and state = 'sending' and not released
      and project_id in (select project_id from contradicted_projects)`;
}
