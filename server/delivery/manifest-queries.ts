import type { Queryable } from '../db/database.ts';

/** A winning submission whose prize is settled on chain. */
export type SettledAward = {
  projectId: string;
  submissionId: string;
  termsHash: string;
  licence: string;
  licenceSha256: string;
  network: string;
  asset: string;
  payer: string;
  payee: string;
  prizeTx: string | null;
  feeTx: string | null;
  payoutTx: string;
  payoutMicro: number;
  awardedAt: Date;
  settledAt: Date;
};

/** Null unless the submission won and its prize is settled. Indexes payouts_submission and payments_live_subject. */
export async function findSettledAward(
  db: Queryable,
  { projectId, submissionId }: { projectId: string; submissionId: string },
): Promise<SettledAward | null> {
  const [row] = await db<SettledAward[]>`
    select s.project_id as "projectId", s.id as "submissionId", p.terms_hash as "termsHash", p.licence,
      t.canonical::json #>> '{licence,sha256}' as "licenceSha256", p.network, p.asset,
      p.funding_wallet as payer, prize.recipient as payee,
      escrow.tx_hash as "prizeTx", fee.tx_hash as "feeTx", prize.tx_hash as "payoutTx",
      prize.amount_micro as "payoutMicro", p.awarded_at as "awardedAt",
      prize.settled_at as "settledAt"
    from submissions s
    join projects p on p.id = s.project_id
    join payouts prize on prize.submission_id = s.id and prize.kind = 'prize' and prize.state = 'settled'
    join project_terms t on t.project_id = p.id and t.version = p.terms_version
    left join payments escrow on escrow.kind = 'escrow' and escrow.subject_id = p.id and escrow.state = 'settled'
      and not escrow.late
    left join payments fee on fee.kind = 'entry_fee' and fee.subject_id = s.id and fee.state = 'settled' and not fee.late
    where s.id = ${submissionId} and s.project_id = ${projectId} and s.outcome = 'won'`;
  return row ?? null;
}
