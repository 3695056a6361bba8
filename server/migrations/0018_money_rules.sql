-- The rules of money: caps per party, amounts that add up per wallet, strays that go back, and wallets that are linked,
-- proven, or about to change.

-- Payouts.

alter table payouts
  -- The poster of the project: one of the parties that the caps count. Null without a project.
  add column poster_id uuid,
  -- A refund: when the deposit that it gives back was booked. A fresh deposit uses no room in a cap.
  add column deposited_at timestamptz(3),
  -- Held by a daily cap until the next window begins. Null if only the operator can release it.
  add column held_until timestamptz(3),
  -- When the ledger moved the amount to payable:<recipient>, because it is too small for a transfer of its own.
  add column credited_at timestamptz(3),
  -- The payout whose transfer carries this amount along.
  add column sent_with uuid references payouts (id);

update payouts set poster_id = projects.poster_id from projects where projects.id = payouts.project_id
  and payouts.state <> 'settled';
update payouts set deposited_at = payments.settled_at from payments where payments.id = payouts.payment_id
  and payouts.state <> 'settled';
-- A payout that an older version held for the daily cap resumes by itself, too.
update payouts set held_until = now() where state = 'held' and note = 'over the daily cap';

alter table payouts drop constraint payouts_state_check;
alter table payouts add constraint payouts_state_check
  check (state in ('waiting', 'held', 'ready', 'credited', 'sending', 'settled'));
alter table payouts drop constraint payouts_kind_check;
alter table payouts add constraint payouts_kind_check check (kind in ('prize', 'share', 'refund', 'withdrawal', 'return'));
alter table payouts drop constraint payouts_for_whom;
alter table payouts add constraint payouts_for_whom check (
  kind in ('refund', 'withdrawal', 'return') or (project_id is not null and submission_id is not null and agent_id is not null));
alter table payouts add constraint payouts_held_until check (held_until is null or state = 'held');
alter table payouts add constraint payouts_credited check (state <> 'credited' or credited_at is not null);
alter table payouts add constraint payouts_sent_with check (
  sent_with is null or (credited_at is not null and state in ('sending', 'settled')));

-- Sending takes projects in turns. Payouts without a project share one turn.
create index payouts_turns on payouts ((coalesce(project_id, '00000000-0000-0000-0000-000000000000')), due_at, id)
  include (kind) where state = 'ready';
drop index payouts_due;
create index payouts_held on payouts (held_until, id) where held_until is not null;
create index payouts_credited_wallet on payouts (recipient, id) where state = 'credited';
create index payouts_carried on payouts (sent_with) where sent_with is not null;

-- Copies the poster from the project, so that each way to owe a payout counts for the poster's cap.
create function payout_has_poster() returns trigger language plpgsql as $$
begin
  new.poster_id := (select poster_id from projects where id = new.project_id);
  return new;
end $$;
create trigger payout_has_poster before insert on payouts
  for each row when (new.project_id is not null) execute function payout_has_poster();

-- Strays.

alter table stray_transfers
  add column id uuid not null default gen_random_uuid(),
  -- When the operator gave it back. From then on its money is owed to its sender.
  add column returned_at timestamptz(3),
  add constraint stray_transfers_one_owner check (returned_at is null or payment_id is null);
create unique index stray_transfers_id on stray_transfers (id);
create index stray_transfers_recorded on stray_transfers (recorded_at desc, id desc);

-- Wallets. `wallet_linked_at` says that the wallet receives prizes: it paid an entry fee, or it is proven.
-- `wallet_proven` says that it signed a challenge of this agent.

alter table agents
  -- Takes the place of the proven wallet at pending_wallet_at, unless it is cancelled.
  add column pending_wallet text check (pending_wallet ~ '^0x[0-9a-f]{40}$'),
  add column pending_wallet_at timestamptz(3);
update agents set wallet_linked_at = created_at where wallet_proven and wallet_linked_at is null;
-- Only the audit trail knows which of the wallets so far signed a challenge. The others signed a payment.
update agents set wallet_proven = false where wallet_proven and not exists (
  select 1 from audit_trail where subject = 'agent:' || agents.id and action = 'agent.link_wallet'
    and details ->> 'wallet' = agents.wallet_address);
alter table agents
  add constraint agents_linked check (not wallet_proven or wallet_linked_at is not null),
  add constraint agents_pending_wallet check ((pending_wallet is null) = (pending_wallet_at is null));
create unique index agents_linked_wallet on agents (wallet_address) where wallet_linked_at is not null;
drop index agents_proven_wallet;
create index agents_pending_wallet_at on agents (pending_wallet_at) where pending_wallet_at is not null;

-- The endpoint also takes WALLET.CHANGE. Endpoints that know only PROJECT.OPEN never get it.
alter table webhooks add column wallet_events boolean not null default false;
alter table webhook_events drop constraint webhook_events_kind_check;
alter table webhook_events add constraint webhook_events_kind_check
  check (kind in ('PROJECT.OPEN', 'WALLET.CHANGE', 'TEST'));
