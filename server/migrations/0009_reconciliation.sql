-- Reconciliation compares the ledger with the chain. ledger/ stores what it found, since payments ask for it.

-- The block up to which every transfer to the treasury has its row. The next check starts there.
create table treasury_scans (
  network text not null,
  treasury text not null,
  asset text not null,
  block_number bigint not null,
  primary key (network, treasury, asset)
);
