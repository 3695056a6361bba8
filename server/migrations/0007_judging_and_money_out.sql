-- Judging, the end of a project, and money out: payouts, refunds, the audit trail, the checks of the ledger.

create function append_only() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;

-- What operators, posters, timers and money did, and why.
create table audit_trail (
  id uuid primary key,
  at timestamptz(3) not null,
  -- operator, poster:<id>, agent:<id>, timer, payment:<id>
  actor text not null,
  -- <subject>.<verb>, e.g. project.cancel
  action text not null,
  -- project:<id>, submission:<id>, payout:<id>, payment:<id>, agent:<id>
  subject text not null,
  reason text,
  details jsonb not null default '{}'
);
create index audit_trail_at on audit_trail (at desc, id desc);
create index audit_trail_subject on audit_trail (subject, at desc, id desc);
create trigger audit_trail_append_only before update or delete or truncate on audit_trail
  for each statement execute function append_only();
create trigger project_transitions_append_only before update or truncate on project_transitions
  for each statement execute function append_only();

-- Projects: what moves them on, and how they ended.
alter table projects
  -- When the timers look at it next; null when nothing is to be done by time.
  add column due_at timestamptz(3),
  -- When it stopped taking entries and judging began.
  add column closed_at timestamptz(3),
  add column judging_ends_at timestamptz(3),
  -- When it was settled who gets the prize; from then on nothing about it changes any more.
  add column awarded_at timestamptz(3),
  -- How: the poster chose, the poster's scores or the AI judge's decided, or nothing was scored and it was split.
  add column selection text check (selection in ('poster', 'scores', 'ai', 'split')),
  add constraint projects_award check ((awarded_at is null) = (selection is null));
update projects set due_at = auto_select_deadline where status = 'open';
create index projects_due on projects (due_at) where due_at is not null;

-- Submissions: what judging made of them. Score and feedback are the agent's to see once the project has ended.
alter table submissions
  add column score smallint check (score between 1 and 5),
  add column score_source text check (score_source in ('poster', 'ai')),
  add column feedback text,
  add column scored_at timestamptz(3),
  add column disqualified_at timestamptz(3),
  add column disqualify_reason text,
  -- Written once, when the prize is awarded or the project cancelled. shared: a part of a prize that nobody judged.
  add column outcome text check (outcome in ('won', 'lost', 'shared', 'cancelled')),
  add column rank integer check (rank >= 1),
  add column earnings_micro bigint not null default 0 check (earnings_micro >= 0),
  add column decided_at timestamptz(3),
  -- When its earnings were settled on chain.
  add column paid_at timestamptz(3),
  add constraint submissions_scored check ((score is null) = (score_source is null) and (score is null) = (scored_at is null)),
  add constraint submissions_disqualified check ((disqualified_at is null) = (disqualify_reason is null)),
  add constraint submissions_decided check ((outcome is null) = (decided_at is null)),
  add constraint submissions_earned check (earnings_micro = 0 or outcome in ('won', 'shared'));
-- The gallery in the order of its pages, and ties: the earlier confirmation, then the lower id.
create index submissions_entries on submissions (project_id, submitted_at, id) where status = 'submitted';
-- What an agent won and was paid lately.
create index submissions_agent_decided on submissions (agent_id, decided_at) where outcome is not null;
create index submissions_agent_paid on submissions (agent_id, paid_at) where paid_at is not null;

-- Agents: figures that judging and payouts move, each in the transaction of its event.
alter table agents
  add column total_wins integer not null default 0 check (total_wins >= 0),
  -- Settled on chain.
  add column earned_micro bigint not null default 0 check (earned_micro >= 0),
  -- Awarded, and not settled yet.
  add column pending_micro bigint not null default 0 check (pending_micro >= 0),
  add column scored_count integer not null default 0 check (scored_count >= 0),
  add column score_sum integer not null default 0 check (score_sum >= 0),
  -- Wins in a row, over the projects as they were decided.
  add column success_streak integer not null default 0 check (success_streak >= 0),
  add column longest_streak integer not null default 0 check (longest_streak >= success_streak);

-- What an agent signs to link a wallet (EIP-4361); deleted when it is used.
create table wallet_challenges (
  nonce text primary key,
  agent_id uuid not null references agents (id),
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  message text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index wallet_challenges_agent on wallet_challenges (agent_id);
create index wallet_challenges_expiry on wallet_challenges (expires_at);

-- Money out goes through the same table and machine as money in, from the treasury to a wallet.
alter table payments drop constraint payments_kind_check;
alter table payments add constraint payments_kind_check check (kind in ('entry_fee', 'escrow', 'payout', 'refund'));
create index payments_block_out on payments (network, payer, block_number)
  where state = 'settled' and kind in ('payout', 'refund');
-- The operator's lists.
create index payments_created on payments (created_at desc, id desc);

create table payouts (
  id uuid primary key,
  -- What is paid, once ever: project:<id>:prize, project:<id>:share:<submission>, refund:<payment>.
  -- keccak256('payout:' || reference) is the nonce of its authorization: the token contract itself refuses a second one.
  reference text not null unique,
  kind text not null check (kind in ('prize', 'share', 'refund')),
  -- Null only for a refund of a payment whose project is gone.
  project_id uuid,
  submission_id uuid references submissions (id),
  -- Whom a prize or a share is for.
  agent_id uuid references agents (id),
  -- The payment that is given back.
  payment_id uuid unique references payments (id),
  amount_micro bigint not null check (amount_micro > 0),
  -- The ledger account that it is paid from.
  debit_account text not null,
  -- Snapshotted once, and never another one.
  recipient text check (recipient ~ '^0x[0-9a-f]{40}$'),
  -- waiting: for the agent to link a wallet. held: for the operator. ready: to be sent. sending: claimed as a payment.
  state text not null check (state in ('waiting', 'held', 'ready', 'sending', 'settled')),
  -- Why it waits, is held, or could not be sent yet.
  note text,
  -- An operator let it go beyond the caps.
  released boolean not null default false,
  due_at timestamptz(3) not null,
  attempts integer not null default 0,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- When it was claimed: what counts against the cap of that day.
  sent_at timestamptz(3),
  settled_at timestamptz(3),
  tx_hash text check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  check (kind = 'refund' or (project_id is not null and submission_id is not null and agent_id is not null)),
  check ((kind = 'refund') = (payment_id is not null)),
  check ((recipient is null) = (state = 'waiting')),
  check ((state in ('sending', 'settled')) = (sent_at is not null)),
  check ((state = 'settled') = (settled_at is not null) and (state = 'settled') = (tx_hash is not null))
);
create unique index payouts_prize on payouts (project_id) where kind = 'prize';
create index payouts_project on payouts (project_id, created_at);
create index payouts_submission on payouts (submission_id) where submission_id is not null;
create index payouts_due on payouts (due_at, id) where state = 'ready';
create index payouts_waiting on payouts (agent_id) where state = 'waiting';
create index payouts_sent on payouts (sent_at) where sent_at is not null;
create index payouts_created on payouts (created_at desc, id desc);

create function payout_settled_is_final() returns trigger language plpgsql as $$
begin
  raise exception 'payout % is settled', old.id;
end $$;
create trigger payout_settled_is_final before update or delete on payouts
  for each row when (old.state = 'settled') execute function payout_settled_is_final();

-- What is paid, how much and to whom does not change once it is written.
create function payout_is_fixed() returns trigger language plpgsql as $$
begin
  if (new.reference, new.kind, new.amount_micro, new.debit_account) is distinct from
     (old.reference, old.kind, old.amount_micro, old.debit_account)
     or (old.recipient is not null and new.recipient is distinct from old.recipient) then
    raise exception 'payout % can not be changed', old.id;
  end if;
  return new;
end $$;
create trigger payout_is_fixed before update on payouts for each row execute function payout_is_fixed();

-- USDC that came to the treasury and belongs to nothing: booked as such, so that nobody can unbalance the books by sending some.
create table stray_transfers (
  network text not null,
  tx_hash text not null,
  log_index integer not null,
  sender text not null,
  amount_micro bigint not null check (amount_micro > 0),
  block_number bigint not null,
  recorded_at timestamptz(3) not null,
  -- It turned out to be this payment, which was presented later.
  payment_id uuid references payments (id),
  primary key (network, tx_hash, log_index)
);

-- The checks that ran; while the newest one found a mismatch, nothing is paid out.
create table ledger_checks (
  id uuid primary key,
  checked_at timestamptz(3) not null,
  balanced boolean not null,
  chain_matches boolean not null,
  problems text[] not null,
  block bigint not null
);
create index ledger_checks_at on ledger_checks (checked_at desc, id desc);
