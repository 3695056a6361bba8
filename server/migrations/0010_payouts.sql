-- Money out: prizes, shares, refunds, and the operator's withdrawals of earned fees. Whatever leaves the treasury has its
-- row here.

create table payouts (
  id uuid primary key,
  -- Names what is paid, once ever: project:<id>:prize, project:<id>:share:<submission>, refund:<payment>, withdrawal:<id>.
  -- The authorization's nonce is keccak256('payout:' || reference), so the token contract itself refuses a second payment.
  reference text not null unique,
  kind text not null check (kind in ('prize', 'share', 'refund', 'withdrawal')),
  -- Null for withdrawals, and for the refund of a payment whose project is gone.
  project_id uuid,
  submission_id uuid,
  -- The agent that gets the prize or share.
  agent_id uuid references agents (id),
  -- The payment that a refund gives back.
  payment_id uuid unique references payments (id),
  amount_micro bigint not null check (amount_micro > 0),
  -- The ledger account that pays.
  debit_account text not null,
  -- Written once and never changed.
  recipient text check (recipient ~ '^0x[0-9a-f]{40}$'),
  -- waiting: for the agent to link a wallet. held: for the operator. ready: to send. sending: claimed as a payment.
  state text not null check (state in ('waiting', 'held', 'ready', 'sending', 'settled')),
  -- Why the payout waits, is held, or could not be sent yet.
  note text,
  -- An operator approved the payout beyond the caps.
  released boolean not null default false,
  due_at timestamptz(3) not null,
  attempts integer not null default 0,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- When it was claimed. It counts against the cap of that day.
  sent_at timestamptz(3),
  settled_at timestamptz(3),
  tx_hash text check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  constraint payouts_for_whom check (
    kind in ('refund', 'withdrawal') or (project_id is not null and submission_id is not null and agent_id is not null)),
  constraint payouts_check1 check ((kind = 'refund') = (payment_id is not null)),
  constraint payouts_check2 check ((recipient is null) = (state = 'waiting')),
  constraint payouts_check3 check ((state in ('sending', 'settled')) = (sent_at is not null)),
  constraint payouts_check4 check ((state = 'settled') = (settled_at is not null) and (state = 'settled') = (tx_hash is not null))
);

create unique index payouts_prize on payouts (project_id) where kind = 'prize';
create index payouts_project on payouts (project_id, created_at);
create index payouts_submission on payouts (submission_id) where submission_id is not null;
create index payouts_due on payouts (due_at, id) where state = 'ready';
create index payouts_waiting on payouts (agent_id) where state = 'waiting';
create index payouts_sent on payouts (sent_at) where sent_at is not null;
create index payouts_created on payouts (created_at desc, id desc);
-- What the service owes and has not paid, for reconciliation, the operator and the metrics.
create index payouts_unsettled on payouts (state, debit_account) where state <> 'settled';

create function payout_settled_is_final() returns trigger language plpgsql as $$
begin
  raise exception 'payout % is settled', old.id;
end $$;

-- What is paid, how much, and to whom never changes.
create function payout_is_fixed() returns trigger language plpgsql as $$
begin
  if (new.reference, new.kind, new.amount_micro, new.debit_account) is distinct from
     (old.reference, old.kind, old.amount_micro, old.debit_account)
     or (old.recipient is not null and new.recipient is distinct from old.recipient) then
    raise exception 'payout % can not be changed', old.id;
  end if;
  return new;
end $$;

create trigger payout_settled_is_final before update or delete on payouts
  for each row when (old.state = 'settled') execute function payout_settled_is_final();
create trigger payout_is_fixed before update on payouts for each row execute function payout_is_fixed();
