-- Double entry, append-only. A journal sums to zero (deferred trigger), an account never falls below zero (check).

create table ledger_accounts (
  -- treasury, revenue, escrow:<project>, fees:<project>, payable:<wallet>
  id text primary key,
  -- An asset grows by debits, a liability or income by credits.
  side text not null check (side in ('debit', 'credit')),
  balance_micro bigint not null default 0 check (balance_micro >= 0)
);

create table ledger_journals (
  id uuid primary key,
  kind text not null,
  -- One journal per money event: the settled payment that caused it, when one did.
  payment_id uuid unique,
  created_at timestamptz not null
);

create table ledger_entries (
  journal_id uuid not null references ledger_journals (id),
  line smallint not null,
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

create function ledger_journal_balances() returns trigger language plpgsql as $$
begin
  if (select coalesce(sum(amount_micro), 1) from ledger_entries where journal_id = new.id) <> 0 then
    raise exception 'journal % does not sum to zero', new.id;
  end if;
  return null;
end $$;

create constraint trigger ledger_journal_balances after insert on ledger_journals
  deferrable initially deferred for each row execute function ledger_journal_balances();

-- Entries only ever arrive with their journal: a later one would need a new journal to be checked.
create function ledger_entry_fresh() returns trigger language plpgsql as $$
begin
  if (select xmin::text::bigint from ledger_journals where id = new.journal_id)
     <> (pg_current_xact_id()::text::bigint & 4294967295) then
    raise exception 'journal % is closed', new.journal_id;
  end if;
  update ledger_accounts set balance_micro = balance_micro + case side when 'debit' then new.amount_micro else -new.amount_micro end
    where id = new.account_id;
  return new;
end $$;

create trigger ledger_entry_fresh before insert on ledger_entries
  for each row execute function ledger_entry_fresh();

-- One table for all money on chain; see docs/architecture.md, "Payments".
create table payments (
  id uuid primary key,
  kind text not null check (kind in ('entry_fee', 'escrow')),
  -- What is paid: a submission's id (entry_fee), a project's id (escrow).
  subject_id uuid not null,
  network text not null,
  asset text not null,
  payer text not null,
  pay_to text not null,
  amount_micro bigint not null check (amount_micro > 0),
  auth_nonce text not null,
  valid_before bigint not null,
  x402_version smallint not null,
  payload jsonb not null,
  requirements jsonb not null,
  from_block bigint not null,
  state text not null check (state in ('settling', 'settled', 'failed')),
  -- Settled although it had been given up: the money is owed back to the payer, and never counts for its subject.
  late boolean not null default false,
  tx_hash text,
  log_index integer,
  error text,
  -- Where the request said it came from (X-Forwarded-For); recorded, trusted for nothing.
  forwarded_for text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  settled_at timestamptz,
  -- A failed payment stays watched until its authorization can no longer execute.
  watched boolean not null default true,
  lease_until timestamptz,
  check (state <> 'settled' or (tx_hash is not null and log_index is not null and settled_at is not null))
);
-- One signed payment pays for one thing, ever.
create unique index payments_authorization on payments (network, asset, payer, auth_nonce);
-- One thing is paid for once.
create unique index payments_live_subject on payments (kind, subject_id) where state in ('settling', 'settled') and not late;
create unique index payments_transfer on payments (network, tx_hash, log_index) where tx_hash is not null;
-- The sweeper's work: what is not decided, and what failed but can still execute.
create index payments_undecided on payments (updated_at) where state = 'settling' or (state = 'failed' and watched);
