-- Reconciliation compares the ledger with the chain: how far it got, what it found, and when it runs.

-- The block up to which every transfer to the treasury has its row. The next check starts there.
create table treasury_scans (
  network text not null,
  treasury text not null,
  asset text not null,
  block_number bigint not null,
  primary key (network, treasury, asset)
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

-- Stray transfers in a range of blocks, and those without a payment.
create index stray_transfers_block on stray_transfers (network, block_number);
create index stray_transfers_nobodys on stray_transfers (network) include (amount_micro) where payment_id is null;
create index ledger_checks_at on ledger_checks (checked_at desc, id desc);
