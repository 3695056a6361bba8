-- All money on chain, in and out, is in one table.

create table payments (
  id uuid primary key,
  kind text not null check (kind in ('entry_fee', 'escrow', 'payout', 'refund')),
  -- The id of what is paid: of a submission (entry_fee), a project (escrow) or a payout (payout, refund).
  subject_id uuid not null,
  network text not null,
  -- Addresses, the nonce and the hash are in lower case. Otherwise the same value in another case would pass the unique
  -- indexes.
  asset text not null check (asset ~ '^0x[0-9a-f]{40}$'),
  payer text not null check (payer ~ '^0x[0-9a-f]{40}$'),
  pay_to text not null check (pay_to ~ '^0x[0-9a-f]{40}$'),
  amount_micro bigint not null check (amount_micro > 0),
  auth_nonce text not null check (auth_nonce ~ '^0x[0-9a-f]{64}$'),
  valid_before bigint not null,
  x402_version smallint not null check (x402_version in (1, 2)),
  -- The signed payment without its signature.
  payload jsonb not null,
  requirements jsonb not null,
  -- Under AES-256-GCM, with a key from outside the database. So nobody can settle a payment from a copy of the database.
  signature bytea,
  -- No earlier block can hold the transfer.
  from_block bigint not null,
  state text not null check (state in ('settling', 'settled', 'failed')),
  -- The payment settled after the service had given it up, or after its subject stopped taking it. The service owes the
  -- money back to the payer.
  late boolean not null default false,
  tx_hash text check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  log_index integer,
  block_number bigint,
  error text,
  -- The request's X-Forwarded-For header. The service records it and trusts it for nothing.
  forwarded_for text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  settled_at timestamptz,
  -- The sweeper watches a failed payment until its authorization can no longer execute.
  watched boolean not null default true,
  -- Until then, only the holder of the lease (a request or the sweeper) finds out the outcome.
  lease_until timestamptz,
  -- When the sweeper looks next. The interval grows with each look that decides nothing.
  sweep_at timestamptz not null,
  sweeps integer not null default 0,
  check (state <> 'settled' or (tx_hash is not null and log_index is not null and block_number is not null and settled_at is not null)),
  check (state = 'settled' or not late)
);

-- Sums of past UTC days, for the operator's overview. The first request for a day writes them; settled payments do not
-- change. A day has either no row or one row for each kind.
create table payment_days (
  day date not null,
  kind text not null check (kind in ('entry_fee', 'escrow', 'payout', 'refund')),
  payments integer not null check (payments >= 0),
  amount_micro bigint not null check (amount_micro >= 0),
  primary key (day, kind)
);

-- USDC that reached the treasury and belongs to no payment. The service books such transfers on their own; otherwise anyone
-- could unbalance the books with a transfer.
create table stray_transfers (
  network text not null,
  tx_hash text not null,
  log_index integer not null,
  sender text not null,
  amount_micro bigint not null check (amount_micro > 0),
  block_number bigint not null,
  recorded_at timestamptz(3) not null,
  -- The payment that later turned out to own the transfer.
  payment_id uuid references payments (id),
  primary key (network, tx_hash, log_index)
);

-- One signed payment pays for one thing, ever.
create unique index payments_authorization on payments (network, asset, payer, auth_nonce);
-- One thing is paid once.
create unique index payments_live_subject on payments (kind, subject_id) where state in ('settling', 'settled') and not late;
create unique index payments_transfer on payments (network, tx_hash, log_index) where tx_hash is not null;
-- The sweeper's work: undecided payments, and failed ones that can still execute.
create index payments_sweep on payments (sweep_at) where state = 'settling' or (state = 'failed' and watched);
-- The ledger at a block: money in, then money out.
create index payments_block on payments (network, pay_to, block_number) where state = 'settled';
create index payments_block_out on payments (network, payer, block_number)
  where state = 'settled' and kind in ('payout', 'refund');
-- The operator's list.
create index payments_created on payments (created_at desc, id desc);
-- The operator's overview: money in and out by UTC day.
create index payments_settled on payments (settled_at) include (kind, amount_micro) where state = 'settled';
-- Stray transfers in a range of blocks, and those without a payment.
create index stray_transfers_block on stray_transfers (network, block_number);
create index stray_transfers_nobodys on stray_transfers (network) include (amount_micro) where payment_id is null;

alter table ledger_journals add constraint ledger_journals_payment foreign key (payment_id) references payments (id);

-- A settled payment never changes: the ledger and the chain rely on it.
create function payment_settled_is_final() returns trigger language plpgsql as $$
begin
  raise exception 'payment % is settled', old.id;
end $$;

create function payment_has_journal() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from ledger_journals where payment_id = new.id) then
    raise exception 'payment % is settled without a journal', new.id;
  end if;
  return null;
end $$;

create trigger payment_settled_is_final before update or delete on payments
  for each row when (old.state = 'settled') execute function payment_settled_is_final();
create constraint trigger payment_has_journal after insert or update on payments
  deferrable initially deferred for each row when (new.state = 'settled') execute function payment_has_journal();
