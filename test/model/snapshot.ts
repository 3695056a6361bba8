import type { Db } from '../../server/db/database.ts';

export type ProjectNow = {
  id: string;
  poster_id: string;
  status: 'draft' | 'open' | 'judging' | 'completed' | 'cancelled';
  prize_micro: number;
  entry_fee_micro: number;
  platform_fee_ppm: number;
  deadline: string;
  due_at: string | null;
  awarded_at: string | null;
  selection: 'poster' | 'scores' | 'ai' | 'silence' | 'operator' | 'shared' | null;
  held_selection: 'ai' | 'silence' | null;
  hold_reason: string | null;
  fee_kept: boolean;
  cancel_reason: string | null;
  cancelled_at: string | null;
  cancelled_by: 'poster' | 'operator' | 'timer' | null;
  no_winner_reason: string | null;
  winner_submission_id: string | null;
  published_at: string | null;
  places_taken: number;
  max_entries: number | null;
};
export type SubmissionNow = {
  id: string;
  project_id: string;
  agent_id: string;
  status: 'pending' | 'submitted';
  entry_fee_paid_micro: number;
  /** When the place of its fee lapses. */
  place_until: string | null;
  submitted_at: string | null;
  score: number | null;
  score_source: 'poster' | 'ai' | null;
  disqualified_at: string | null;
  outcome: 'won' | 'lost' | 'shared' | 'cancelled' | null;
};
export type PaymentNow = {
  id: string;
  kind: 'entry_fee' | 'escrow' | 'payout' | 'refund';
  subject_id: string;
  payer: string;
  pay_to: string;
  amount_micro: number;
  auth_nonce: string;
  valid_before: number;
  state: 'settling' | 'settled' | 'failed';
  late: boolean;
  watched: boolean;
  /** The account that the payment had credited when its transfer was found to be taken back. */
  vanished_from: string | null;
  tx_hash: string | null;
  log_index: number | null;
  error: string | null;
  lease_until: string | null;
  sweep_at: string;
};
export type PayoutNow = {
  id: string;
  reference: string;
  kind: 'prize' | 'share' | 'refund' | 'return';
  project_id: string | null;
  submission_id: string | null;
  agent_id: string | null;
  payment_id: string | null;
  amount_micro: number;
  debit_account: string;
  recipient: string | null;
  state: 'waiting' | 'held' | 'ready' | 'credited' | 'sending' | 'settled';
  due_at: string;
  tx_hash: string | null;
  poster_id: string | null;
  released: boolean;
  /** When a payout that a daily cap holds resumes by itself. */
  held_until: string | null;
  sent_at: string | null;
  deposited_at: string | null;
  /** When its money moved to the account `payable` of its wallet, because it is too small for a transfer. */
  credited_at: string | null;
  /** The payout whose transfer carries this amount along. */
  sent_with: string | null;
};

/** All data about money in the database at one moment. */
export type Snapshot = {
  projects: ProjectNow[];
  submissions: SubmissionNow[];
  payments: PaymentNow[];
  payouts: PayoutNow[];
  agents: {
    id: string;
    wallet_address: string | null;
    wallet_linked_at: string | null;
    wallet_proven: boolean;
    pending_wallet: string | null;
    pending_wallet_at: string | null;
    earned_micro: number;
    pending_micro: number;
  }[];
  accounts: { id: string; side: 'debit' | 'credit'; balance_micro: number }[];
  strays: {
    id: string;
    returned_at: string | null;
    tx_hash: string;
    log_index: number;
    amount_micro: number;
    block_number: number;
    payment_id: string | null;
  }[];
  openJournals: number;
};

/**
 * Reads a snapshot in one statement, so that it shows one moment and costs one round trip. The order does not depend on
 * which concurrent work came first, so that a seed repeats the same story.
 */
export async function takeSnapshot(db: Db): Promise<Snapshot> {
  const [row] = await db<[{ snapshot: Snapshot }]>`
    select json_build_object(
      'projects', (select coalesce(json_agg(t), '[]') from (
        select id, poster_id, status, prize_micro, entry_fee_micro, platform_fee_ppm, auto_select_deadline as deadline,
          due_at, awarded_at, selection, winner_submission_id, published_at, held_selection, hold_reason, fee_kept,
          cancel_reason, cancelled_at, cancelled_by, no_winner_reason, places_taken, max_entries
        from projects order by id) t),
      'submissions', (select coalesce(json_agg(t), '[]') from (
        select id, project_id, agent_id, status, entry_fee_paid_micro, place_until, submitted_at, score, score_source, disqualified_at,
          outcome
        from submissions order by id) t),
      'payments', (select coalesce(json_agg(t), '[]') from (
        select id, kind, subject_id, payer, pay_to, amount_micro, auth_nonce, valid_before, state, late, watched, vanished_from, tx_hash,
          log_index, error, lease_until, sweep_at
        from payments order by auth_nonce, payer) t),
      'payouts', (select coalesce(json_agg(t), '[]') from (
        select id, reference, kind, project_id, submission_id, agent_id, payment_id, amount_micro, debit_account,
          recipient, state, due_at, tx_hash, poster_id, released, held_until, sent_at, deposited_at, credited_at, sent_with
        from payouts order by reference) t),
      'agents', (select coalesce(json_agg(t), '[]') from (
        select id, wallet_address, wallet_linked_at, wallet_proven, pending_wallet, pending_wallet_at,
          coalesce(earned_micro, 0) as earned_micro, coalesce(pending_micro, 0) as pending_micro
        from agents left join agent_figures on agent_id = id and scope = 'overall' order by id) t),
      'accounts', (select coalesce(json_agg(t), '[]') from (
        select id, side, case id
          when 'treasury' then (select sum(amount_micro)::bigint from ledger_entries where account_id = 'treasury')
          else balance_micro end as balance_micro
        from ledger_accounts order by id) t),
      'strays', (select coalesce(json_agg(t), '[]') from (
        select id, tx_hash, log_index, amount_micro, block_number, payment_id, returned_at from stray_transfers
        order by tx_hash, log_index) t),
      'openJournals', (select count(*) from (
        select journal_id from ledger_entries group by journal_id having sum(amount_micro) <> 0) t)
    ) as snapshot`;
  return row.snapshot;
}

/** Tables that the migrations fill. */
const KEPT = ['migrations', 'specializations', 'publication_clock'];

/**
 * Empties the database for the next run despite all triggers. A new database would be slower, because it plans its
 * statements anew.
 */
export async function emptyDatabase(db: Db): Promise<void> {
  const tables = await db<{ name: string }[]>`
    select quote_ident(tablename) as name from pg_tables
    where schemaname = 'public' and tablename <> all(${KEPT}) order by tablename`;
  const statements = [
    'set local session_replication_role = replica',
    ...tables.map(({ name }) => `delete from ${name}`),
    `update publication_clock set newest_at = 'epoch', unconfirmed_at = null`,
  ];
  await db.begin((tx) => tx.unsafe(statements.join('; ')));
}
