-- Double entry, append-only. A journal sums to zero (deferred trigger), an account never falls below zero (check).

create table ledger_accounts (
  -- treasury, revenue, escrow:<project>, fees:<project>, payable:<wallet>
  id text primary key,
  -- An asset grows by debits, a liability or income by credits.
  side text not null check (side in ('debit', 'credit')),
  -- Kept by the trigger on ledger_entries alone.
  balance_micro bigint not null default 0 check (balance_micro >= 0)
);

create table ledger_journals (
  id uuid primary key,
  kind text not null,
  -- One journal per money event: the settled payment that caused it, when one did.
  payment_id uuid unique,
  -- How many entries it has: nothing can be added to a journal later, not even lines that balance.
  lines smallint not null check (lines >= 2),
  created_at timestamptz not null
);

create table ledger_entries (
  journal_id uuid not null references ledger_journals (id),
  line smallint not null check (line >= 1),
  account_id text not null references ledger_accounts (id),
  -- Debits are positive, credits negative.
  amount_micro bigint not null check (amount_micro <> 0),
  primary key (journal_id, line)
);
create index ledger_entries_account on ledger_entries (account_id);

create function ledger_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only';
end $$;

create trigger ledger_journals_append_only before update or delete or truncate on ledger_journals
  for each statement execute function ledger_append_only();
create trigger ledger_entries_append_only before update or delete or truncate on ledger_entries
  for each statement execute function ledger_append_only();
create trigger ledger_accounts_append_only before delete or truncate on ledger_accounts
  for each statement execute function ledger_append_only();

-- A balance moves through an entry or not at all: depth 2 is the update that ledger_entry_post makes.
create function ledger_account_by_entry() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception 'a balance moves by ledger entries only';
  end if;
  return new;
end $$;

create trigger ledger_account_by_entry before update on ledger_accounts
  for each row execute function ledger_account_by_entry();

create function ledger_entry_post() returns trigger language plpgsql as $$
begin
  if new.line > (select lines from ledger_journals where id = new.journal_id) then
    raise exception 'journal % is closed', new.journal_id;
  end if;
  update ledger_accounts
    set balance_micro = balance_micro + case side when 'debit' then new.amount_micro else -new.amount_micro end
    where id = new.account_id;
  return new;
end $$;

create trigger ledger_entry_post before insert on ledger_entries
  for each row execute function ledger_entry_post();

create function ledger_journal_balances() returns trigger language plpgsql as $$
begin
  if (select (count(*), coalesce(sum(amount_micro), 0)) from ledger_entries where journal_id = new.id)
     <> row(new.lines::bigint, 0::numeric) then
    raise exception 'journal % does not sum to zero over its lines', new.id;
  end if;
  return null;
end $$;

create constraint trigger ledger_journal_balances after insert on ledger_journals
  deferrable initially deferred for each row execute function ledger_journal_balances();

-- One table for all money on chain; see docs/architecture.md, "Payments".
create table payments (
  id uuid primary key,
  kind text not null check (kind in ('entry_fee', 'escrow')),
  -- What is paid: a submission's id (entry_fee), a project's id (escrow).
  subject_id uuid not null,
  network text not null,
  -- Addresses, nonce and hash are lower case, or the unique indexes below could be walked around.
  asset text not null check (asset ~ '^0x[0-9a-f]{40}$'),
  payer text not null check (payer ~ '^0x[0-9a-f]{40}$'),
  pay_to text not null check (pay_to ~ '^0x[0-9a-f]{40}$'),
  amount_micro bigint not null check (amount_micro > 0),
  auth_nonce text not null check (auth_nonce ~ '^0x[0-9a-f]{64}$'),
  valid_before bigint not null,
  x402_version smallint not null check (x402_version in (1, 2)),
  payload jsonb not null,
  requirements jsonb not null,
  -- No block before this one can hold the transfer.
  from_block bigint not null,
  state text not null check (state in ('settling', 'settled', 'failed')),
  -- Settled although it had been given up, or its subject no longer took it: the money is owed back to the payer.
  late boolean not null default false,
  tx_hash text check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  log_index integer,
  block_number bigint,
  error text,
  -- Where the request said it came from (X-Forwarded-For); recorded, trusted for nothing.
  forwarded_for text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  settled_at timestamptz,
  -- A failed payment stays watched until its authorization can no longer execute.
  watched boolean not null default true,
  -- Until then one request or sweeper is finding out the outcome, and nobody else.
  lease_until timestamptz,
  -- When the sweeper looks next; moves further away with every look that decided nothing.
  sweep_at timestamptz not null,
  sweeps integer not null default 0,
  check (state <> 'settled' or (tx_hash is not null and log_index is not null and block_number is not null and settled_at is not null)),
  check (state = 'settled' or not late)
);
-- One signed payment pays for one thing, ever.
create unique index payments_authorization on payments (network, asset, payer, auth_nonce);
-- One thing is paid for once.
create unique index payments_live_subject on payments (kind, subject_id) where state in ('settling', 'settled') and not late;
create unique index payments_transfer on payments (network, tx_hash, log_index) where tx_hash is not null;
-- The sweeper's work: what is not decided, and what failed but can still execute.
create index payments_sweep on payments (sweep_at) where state = 'settling' or (state = 'failed' and watched);
-- The books at a block.
create index payments_block on payments (network, pay_to, block_number) where state = 'settled';

alter table ledger_journals add constraint ledger_journals_payment foreign key (payment_id) references payments (id);

-- What is settled stays as it was settled: the ledger and the chain both say so.
create function payment_settled_is_final() returns trigger language plpgsql as $$
begin
  raise exception 'payment % is settled', old.id;
end $$;

create trigger payment_settled_is_final before update or delete on payments
  for each row when (old.state = 'settled') execute function payment_settled_is_final();

create function payment_has_journal() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from ledger_journals where payment_id = new.id) then
    raise exception 'payment % is settled without a journal', new.id;
  end if;
  return null;
end $$;

create constraint trigger payment_has_journal after insert or update on payments
  deferrable initially deferred for each row when (new.state = 'settled') execute function payment_has_journal();

-- Who may broadcast with a facilitator key now: two processes that count the same account nonce lose payments.
-- Unlogged: a lease means nothing after a crash, and taking one must not wait for a disk.
create unlogged table signer_lanes (
  address text primary key,
  holder text not null,
  lease_until timestamptz not null
);

-- Up to where every transfer into the treasury was matched to a row, so that a check need not start at the beginning.
create table treasury_scans (
  network text not null,
  treasury text not null,
  asset text not null,
  block_number bigint not null,
  primary key (network, treasury, asset)
);
