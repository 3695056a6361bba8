-- Kind: expand

-- The signer also sees the projects whose end contradicts the chain, and the sum of a day's withdrawals. New columns of a view
-- come after the old ones.
create or replace view signer_transfers as
select
  o.id as payout_id, o.kind, o.reference, o.state, o.recipient, o.amount_micro, o.project_id, o.submission_id, o.released,
  carried.amount_micro as carried_micro, carried.all_fit as carried_fits,
  -- The claim.
  p.state as payment_state, p.network, p.asset, p.payer, p.pay_to, p.amount_micro as payment_micro, p.auth_nonce,
  -- A prize or share: the project of its entry.
  j.id is not null as has_project, j.awarded_at is not null as is_awarded, j.prize_micro, j.winner_submission_id,
  s.outcome as submission_outcome, s.earnings_micro, s.agent_id = o.agent_id as is_of_agent,
  -- Everything that the project's escrow owes, in any state.
  from_escrow.amount_micro as from_escrow_micro,
  -- A refund: the payment that it gives back.
  r.state as paid_state, r.payer as paid_by, r.amount_micro as paid_micro, r.id as paid_id,
  -- A return: the stray transfer that goes back.
  t.id as stray_id, t.sender as stray_sender, t.amount_micro as stray_micro,
  t.returned_at is not null and t.payment_id is null as is_returned,
  -- A withdrawal: the listed address.
  w.usable_at as address_usable_at,
  exists (select 1 from audit_trail a where a.subject = 'payout:' || o.id and a.action = 'payout.release') as release_recorded,
  (select max(v.amount_micro) from operator_approvals v where v.state = 'approved' and (
    (o.kind = 'withdrawal' and v.subject = 'address:' || o.recipient)
    or (o.kind <> 'withdrawal' and v.subject in ('payout:' || o.id, 'project:' || o.project_id, 'payouts')))
  ) as approved_micro,
  exists (select 1 from recovery_state where needed_since is not null)
    or not coalesce((select c.balanced and c.chain_matches from ledger_checks c order by c.checked_at desc, c.id desc limit 1), true)
    as is_stopped,
  -- The chain shows another end of the project. An operator releases each of its payouts.
  o.debit_account in ('escrow:' || o.project_id, 'fees:' || o.project_id)
    and exists (select 1 from contradicted_projects x where x.project_id = o.project_id) as is_contradicted,
  -- The withdrawals of this one's UTC day, up to it, and what two operators approved of them.
  withdrawn.amount_micro as withdrawn_micro, approved.amount_micro as withdrawn_approved_micro
from payouts o
cross join lateral (
  select coalesce(sum(c.amount_micro), 0)::bigint as amount_micro,
    coalesce(bool_and(c.recipient = o.recipient and c.state = 'sending' and c.credited_at is not null), true) as all_fit
  from payouts c where c.sent_with = o.id
) carried
join payments p on p.subject_id = o.id and p.state in ('settling', 'settled') and not p.late
  and p.kind = case when o.kind in ('refund', 'return') then 'refund' else 'payout' end
left join projects j on j.id = o.project_id
left join submissions s on s.id = o.submission_id and s.project_id = o.project_id
cross join lateral (
  select coalesce(sum(e.amount_micro), 0)::bigint as amount_micro
  from payouts e where e.project_id = o.project_id and e.debit_account = 'escrow:' || o.project_id
) from_escrow
left join payments r on r.id = o.payment_id and r.kind in ('entry_fee', 'escrow')
left join stray_transfers t on t.id = case
  when o.kind = 'return' and o.reference ~ '^stray:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then substr(o.reference, 7)::uuid end
left join withdrawal_addresses w on o.kind = 'withdrawal' and w.address = o.recipient
cross join lateral (
  select coalesce(sum(d.amount_micro), 0)::bigint as amount_micro
  from payouts d where o.kind = 'withdrawal' and d.kind = 'withdrawal'
    and d.created_at >= date_trunc('day', o.created_at, 'UTC') and d.created_at <= o.created_at
) withdrawn
cross join lateral (
  -- An approval and its withdrawal may be on two sides of midnight, as two times of one transaction.
  select coalesce(sum(v.amount_micro), 0)::bigint as amount_micro
  from operator_approvals v where o.kind = 'withdrawal' and v.operation = 'withdrawRevenue' and v.state = 'approved'
    and v.decided_at >= date_trunc('day', o.created_at, 'UTC') - interval '1 minute'
    and v.requested_at >= o.created_at - interval '7 days'
) approved;
