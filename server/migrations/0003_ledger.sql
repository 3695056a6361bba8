-- The double-entry ledger. It is append-only. A deferred trigger checks that each journal sums to zero, and a check
-- constraint keeps each account at zero or above.

create table ledger_accounts (
  -- treasury, revenue, escrow:<project>, fees:<project>, payable:<wallet>
  id text primary key,
  -- A debit increases an asset. A credit increases a liability or an income.
  side text not null check (side in ('debit', 'credit')),
  -- Only the trigger on ledger_entries writes this column.
  balance_micro bigint not null default 0 check (balance_micro >= 0)
);

create table ledger_journals (
  id uuid primary key,
  kind text not null,
  -- The settled payment that caused the journal, if any. A payment has one journal.
  payment_id uuid unique,
  -- The number of entries. It is fixed, so nobody can add entries later, not even entries that balance.
  lines smallint not null check (lines >= 2),
  created_at timestamptz not null
);

create table ledger_entries (
  journal_id uuid not null references ledger_journals (id),
  line smallint not null check (line >= 1),
  account_id text not null references ledger_accounts (id),
  -- Debits are positive, credits are negative.
  amount_micro bigint not null check (amount_micro <> 0),
  primary key (journal_id, line)
);

-- The checks made. While the newest one has a mismatch, the service pays nothing out.
create table ledger_checks (
  id uuid primary key,
  checked_at timestamptz(3) not null,
  balanced boolean not null,
  chain_matches boolean not null,
  problems text[] not null,
  block bigint not null,
  -- The treasury's balance in the books, and its USDC on chain, both at `block`.
  treasury_micro bigint,
  chain_micro bigint
);

-- When the hourly check is due: one row, which the process that makes the check locks.
create table ledger_check_turn (
  single boolean primary key default true check (single),
  due_at timestamptz(3) not null
);

create index ledger_entries_account on ledger_entries (account_id);
create index ledger_checks_at on ledger_checks (checked_at desc, id desc);

create function ledger_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only';
end $$;

-- Only an entry changes a balance. At trigger depth 2, the update comes from ledger_entry_post.
create function ledger_account_by_entry() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception 'a balance moves by ledger entries only';
  end if;
  return new;
end $$;

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

create function ledger_journal_balances() returns trigger language plpgsql as $$
begin
  if (select (count(*), coalesce(sum(amount_micro), 0)) from ledger_entries where journal_id = new.id)
     <> row(new.lines::bigint, 0::numeric) then
    raise exception 'journal % does not sum to zero over its lines', new.id;
  end if;
  return null;
end $$;

create trigger ledger_journals_append_only before update or delete or truncate on ledger_journals
  for each statement execute function ledger_append_only();
create trigger ledger_entries_append_only before update or delete or truncate on ledger_entries
  for each statement execute function ledger_append_only();
create trigger ledger_accounts_append_only before delete or truncate on ledger_accounts
  for each statement execute function ledger_append_only();
create trigger ledger_account_by_entry before update on ledger_accounts
  for each row execute function ledger_account_by_entry();
create trigger ledger_entry_post before insert on ledger_entries
  for each row execute function ledger_entry_post();
create constraint trigger ledger_journal_balances after insert on ledger_journals
  deferrable initially deferred for each row execute function ledger_journal_balances();
