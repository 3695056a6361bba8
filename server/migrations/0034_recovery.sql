-- Recovery of a database that is older than the chain, as after a restore.

-- One row. While `needed_since` is set, the service moves no money.
create table recovery_state (
  single boolean primary key default true check (single),
  needed_since timestamptz(3),
  reason text,
  -- Every transfer up to this block was booked by the newest recovery.
  recovered_until bigint,
  recovered_at timestamptz(3),
  check ((needed_since is null) = (reason is null))
);

-- Transfers out of the treasury that match no payout. The operator adopted each of them with a reason.
create table adopted_transfers (
  network text not null,
  tx_hash text not null check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  log_index integer not null,
  recipient text not null check (recipient ~ '^0x[0-9a-f]{40}$'),
  amount_micro bigint not null check (amount_micro > 0),
  block_number bigint not null,
  adopted_at timestamptz(3) not null,
  reason text not null,
  -- The payment that later turned out to own the transfer.
  payment_id uuid references payments (id),
  primary key (network, tx_hash, log_index)
);

-- When a recovery booked a transfer as this payout.
alter table payouts add column recovered_at timestamptz(3);

-- The subject and the amount of a payout never change. The recipient changes only once: to the wallet that the chain shows as paid.
create or replace function payout_is_fixed() returns trigger language plpgsql as $$
begin
  if (new.reference, new.kind, new.amount_micro, new.debit_account) is distinct from
     (old.reference, old.kind, old.amount_micro, old.debit_account)
     or (old.recipient is not null and new.recipient is distinct from old.recipient
         and (old.recovered_at is not null or new.recovered_at is null)) then
    raise exception 'payout % can not be changed', old.id;
  end if;
  return new;
end $$;
