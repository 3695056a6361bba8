-- Whose turn the hourly check of the ledger is: one row, claimed by whichever process finds it due.
create table ledger_check_turn (
  single boolean primary key default true check (single),
  due_at timestamptz(3) not null
);

-- What is owed and not paid yet: for the check of the ledger, the operator and the metrics.
create index payouts_unsettled on payouts (state, debit_account) where state <> 'settled';

-- Strays in a range of blocks, and those that are still nobody's.
create index stray_transfers_block on stray_transfers (network, block_number);
create index stray_transfers_nobodys on stray_transfers (network) include (amount_micro) where payment_id is null;
