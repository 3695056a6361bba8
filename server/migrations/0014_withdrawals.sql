-- The operator takes earned fees out through the same machine as every other payout: what leaves the treasury has its row.
alter table payouts drop constraint payouts_kind_check;
alter table payouts add constraint payouts_kind_check check (kind in ('prize', 'share', 'refund', 'withdrawal'));
alter table payouts drop constraint payouts_check;
alter table payouts add constraint payouts_for_whom check (
  kind in ('refund', 'withdrawal') or (project_id is not null and submission_id is not null and agent_id is not null));
