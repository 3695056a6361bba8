import { linkedWallet } from '../agents/public.ts';
import type { Input } from '../../contract/basics/operation.ts';
import type { moneyOutOperations } from '../../contract/operator/money-out.ts';
import { readNewest } from '../paging.ts';
import type { Queryable, Tx } from '../db/database.ts';

export type PayoutKind = 'prize' | 'share' | 'refund' | 'withdrawal' | 'return';
export type PayoutState = 'waiting' | 'held' | 'ready' | 'refused' | 'credited' | 'sending' | 'settled';

export type PayoutRow = {
  id: string;
  reference: string;
  kind: PayoutKind;
  projectId: string | null;
  /** The poster of the project, whose payouts have a cap together. */
  posterId: string | null;
  submissionId: string | null;
  agentId: string | null;
  /** For a refund: the payment that it gives back. */
  paymentId: string | null;
  amountMicro: number;
  /** The account that owes the amount. A credited amount is owed by the recipient's account `payable` instead. */
  debitAccount: string;
  /** Null while the agent has no linked wallet. */
  recipient: string | null;
  state: PayoutState;
  note: string | null;
  /** When a payout that a daily cap holds resumes; null if only the operator can release it. */
  heldUntil: Date | null;
  released: boolean;
  /** For a refund: when the deposit that it gives back was booked. */
  depositedAt: Date | null;
  /** When the amount was moved to the recipient's account `payable`, because it is too small for a transfer. */
  creditedAt: Date | null;
  dueAt: Date;
  attempts: number;
  createdAt: Date;
  sentAt: Date | null;
  settledAt: Date | null;
  txHash: string | null;
};

/** A payout of a project. Withdrawals and returned strays belong to no project. */
export type ProjectPayout = PayoutRow & { kind: Exclude<PayoutKind, 'withdrawal' | 'return'> };

export const payoutColumns = (db: Queryable) => db`
  id, reference, kind, project_id as "projectId", poster_id as "posterId", submission_id as "submissionId",
  agent_id as "agentId", payment_id as "paymentId", amount_micro as "amountMicro", debit_account as "debitAccount",
  recipient, state, note, held_until as "heldUntil", released, deposited_at as "depositedAt",
  credited_at as "creditedAt", due_at as "dueAt", attempts, created_at as "createdAt", sent_at as "sentAt", settled_at as "settledAt",
  tx_hash as "txHash"`;

export type NewPayout = Pick<
  PayoutRow,
  | 'id'
  | 'reference'
  | 'kind'
  | 'projectId'
  | 'submissionId'
  | 'agentId'
  | 'paymentId'
  | 'amountMicro'
  | 'debitAccount'
  | 'recipient'
> &
  Partial<Pick<PayoutRow, 'depositedAt'>>;

/** Inserts each reference once. An existing payout does not change. Returns the ids of the new ones. */
export async function insertPayouts(tx: Tx, payouts: NewPayout[], now: Date): Promise<Set<string>> {
  const rows = payouts.map((payout) => ({
    depositedAt: null,
    ...payout,
    state: payout.recipient === null ? 'waiting' : 'ready',
    note: payout.recipient === null ? 'the agent has not linked a wallet yet' : null,
    dueAt: now,
    createdAt: now,
  }));
  // A row has 16 values, and a statement accepts at most 65,534.
  const inserted = new Set<string>();
  for (let from = 0; from < rows.length; from += 1000) {
    const ids = await tx<{ id: string }[]>`
      insert into payouts ${tx(rows.slice(from, from + 1000))} on conflict (reference) do nothing returning id`;
    for (const { id } of ids) inserted.add(id);
  }
  return inserted;
}

/** Returns the prizes and shares of these submissions, without fee refunds. Index payouts_submission. */
export async function payoutsOfSubmissions(db: Queryable, submissionIds: string[]): Promise<PayoutRow[]> {
  return await db<PayoutRow[]>`
    select ${payoutColumns(db)} from payouts where submission_id = any(${submissionIds}) and kind <> 'refund'`;
}

export async function findByReference(db: Queryable, reference: string): Promise<PayoutRow | null> {
  const [row] = await db<PayoutRow[]>`select ${payoutColumns(db)} from payouts where reference = ${reference}`;
  return row ?? null;
}

/**
 * Returns how much an account still owes. A refund of a payment that vanished owes nothing, because the money is not there,
 * unless it is leaving.
 */
export async function unsettledFrom(db: Queryable, account: string): Promise<number> {
  const [row] = await db<{ micro: number }[]>`
    select coalesce(sum(amount_micro), 0)::bigint as micro from payouts
    where debit_account = ${account} and state <> 'settled' and credited_at is null and (state = 'sending' or not exists (
      select from payments where id = payouts.payment_id and vanished_from is not null and payments.state <> 'settled'))`;
  return row?.micro ?? 0;
}

export async function findByReferences(db: Queryable, references: string[]): Promise<PayoutRow[]> {
  return await db<PayoutRow[]>`select ${payoutColumns(db)} from payouts where reference = any(${references})`;
}

export async function findPayout(db: Queryable, id: string): Promise<PayoutRow | null> {
  const [row] = await db<PayoutRow[]>`select ${payoutColumns(db)} from payouts where id = ${id}`;
  return row ?? null;
}

export async function lockPayout(tx: Tx, id: string): Promise<PayoutRow | null> {
  const [row] = await tx<PayoutRow[]>`select ${payoutColumns(tx)} from payouts where id = ${id} for update`;
  return row ?? null;
}

/** Locks those of the payouts that can still be sent, by id. All senders lock in this order. */
export async function lockReady(tx: Tx, ids: string[]): Promise<Map<string, PayoutRow>> {
  const rows = await tx<PayoutRow[]>`
    select ${payoutColumns(tx)} from payouts where id = any(${ids}) and state = 'ready' order by id for update`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** The payouts without a project are sent as one project. */
const turnOf = (db: Queryable) => db`coalesce(project_id, '00000000-0000-0000-0000-000000000000')`;

/**
 * Returns payouts that can be sent now. Projects take turns, so that thousands of shares of one project delay no prize
 * of another; within a turn, prizes and shares come before refunds, then the oldest. What a daily cap held is due at one
 * time: the smallest goes first, so that a few large refunds hold no small ones. Index payouts_turns: one lookup finds the
 * next project, and one more its oldest payouts.
 */
export async function findDue(db: Queryable, now: Date, limit: number): Promise<PayoutRow[]> {
  return await db<PayoutRow[]>`
    with recursive queues (queue) as (
      (select ${turnOf(db)} from payouts where state = 'ready' order by 1 limit 1)
      union all
      select (select ${turnOf(db)} from payouts where state = 'ready' and ${turnOf(db)} > queue order by 1 limit 1)
      from queues where queue is not null
    ), next as materialized (
      select ready.id as next_id, ready.kind in ('refund', 'return') as gives_back, ready.due_at as next_due_at,
        ready.amount_micro as next_micro, turn
      from queues cross join lateral (
        select id, kind, due_at, amount_micro, row_number() over (order by due_at, id) as turn from payouts
        where state = 'ready' and ${turnOf(db)} = queue and due_at <= ${now} order by due_at, id limit ${limit}
      ) ready
      order by turn, gives_back, next_due_at, next_micro, next_id limit ${limit}
    )
    select ${payoutColumns(db)} from next join payouts on id = next_id
    order by turn, gives_back, next_due_at, next_micro, next_id`;
}

/**
 * Makes payouts due whose time is after `latest`: it comes from a clock that was set back, and they would wait for the
 * length of that step. Index payouts_turns.
 */
export async function takeBackDue(db: Queryable, { now, latest }: { now: Date; latest: Date }): Promise<void> {
  await db`
    update payouts set due_at = ${now}
    where id in (select id from payouts where state = 'ready' and due_at > ${latest} for update skip locked)`;
}

export async function markSending(tx: Tx, ids: string[], now: Date): Promise<void> {
  await tx`
    update payouts set state = 'sending', sent_at = ${now}, note = null, attempts = attempts + 1
    where id = any(${ids})`;
}

/** Postpones a payout that could not be sent to `dueAt`. */
export async function postponePayout(
  db: Queryable,
  id: string,
  { note, dueAt }: { note: string; dueAt: Date },
): Promise<void> {
  await db`
    update payouts set note = ${note}, due_at = ${dueAt}, attempts = attempts + 1 where id = ${id} and state = 'ready'`;
}

/** Notes why a claimed payout waits. The booking clears the note. */
export async function noteDelay(db: Queryable, id: string, note: string): Promise<void> {
  await db`update payouts set note = ${note} where id = ${id} and state = 'sending' and note is distinct from ${note}`;
}

/** Lists everything that is owed. Index payouts_unsettled. */
export async function listUnsettled(db: Queryable): Promise<PayoutRow[]> {
  return await db<PayoutRow[]>`select ${payoutColumns(db)} from payouts where state <> 'settled' order by id`;
}

/** Marks a payout as being sent to the wallet that the chain shows as paid. */
export async function correctPayee(
  tx: Tx,
  id: string,
  { recipient, now }: { recipient: string; now: Date },
): Promise<void> {
  await tx`
    update payouts set state = 'sending', recipient = ${recipient}, recovered_at = ${now}, note = null,
      held_until = null, sent_at = coalesce(sent_at, ${now})
    where id = ${id}`;
}

/** Gives an award to another entry: the chain shows that its agent was paid. Returns false if it is settled. */
export async function moveAward(
  tx: Tx,
  projectId: string,
  to: { submissionId: string; agentId: string },
): Promise<boolean> {
  const { count } = await tx`
    update payouts set submission_id = ${to.submissionId}, agent_id = ${to.agentId}
    where project_id = ${projectId} and kind = 'prize' and state <> 'settled' and credited_at is null`;
  return count === 1;
}

export async function markPaidOut(tx: Tx, ids: string[], txHash: string, now: Date): Promise<void> {
  await tx`
    update payouts set state = 'settled', tx_hash = ${txHash}, settled_at = ${now}, note = null
    where id = any(${ids})`;
}

/** Marks settled payouts as being sent: their transfer vanished from the chain. */
export async function markSentAgain(tx: Tx, ids: string[]): Promise<void> {
  await tx`update payouts set state = 'sending', tx_hash = null, settled_at = null where id = any(${ids})`;
}

/**
 * Gives payouts that wait for a wallet the linked wallet of their agent. This recipient is final. Index
 * payouts_waiting; agents by primary key.
 */
export async function releaseWaiting(db: Queryable, now: Date): Promise<PayoutRow[]> {
  return await db<PayoutRow[]>`
    with able as materialized (
      select payouts.id as able_id, linked.wallet
      from payouts cross join lateral (${linkedWallet(db, db`payouts.agent_id`)}) linked
      where payouts.state = 'waiting'
      order by payouts.id limit 500 for update of payouts skip locked
    )
    update payouts set recipient = wallet, state = 'ready', note = null, due_at = ${now}
    from able where id = able_id
    returning ${payoutColumns(db)}`;
}

/**
 * Makes a held payout exempt from the caps, and an amount that adds up exempt from the smallest transfer. Makes a
 * postponed payout due now; it stays subject to the caps.
 */
export async function updateReleased(tx: Tx, id: string, now: Date): Promise<void> {
  await tx`
    update payouts set state = 'ready', released = released or state in ('held', 'credited'), held_until = null, note = null,
      due_at = ${now}
    where id = ${id} and state in ('held', 'ready', 'refused', 'credited')`;
}

type PayoutQuery = Omit<Input<typeof moneyOutOperations.listPayouts>['query'], 'project_id' | 'poster_id' | 'agent_id'>;

/** Reads a page of payouts, newest first. Indexes payouts_created, payouts_project, payouts_submission, and payouts_amount. */
export async function listPayoutRows(
  db: Queryable,
  query: PayoutQuery,
  { projectIds, submissionIds }: { projectIds: string[] | undefined; submissionIds: string[] | undefined },
) {
  const { state } = query;
  return await readNewest<PayoutRow>(db, query, {
    rows: db`
      select ${payoutColumns(db)} from payouts where true ${state === undefined ? db`` : db`and state = any(${state})`}
        ${projectIds === undefined ? db`` : db`and project_id = any(${projectIds}::uuid[])`}
        ${submissionIds === undefined ? db`` : db`and submission_id = any(${submissionIds}::uuid[])`}`,
    at: db`created_at`,
    id: db`id`,
    amount: db`amount_micro`,
    cursorOf: ({ createdAt, id }) => ({ at: createdAt, id }),
  });
}
