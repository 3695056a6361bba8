-- Kind: expand

-- A settled payment whose transfer is no longer on chain is undecided again. A new journal reverses its journal.
alter table ledger_journals drop constraint ledger_journals_payment_id_key;
-- The number of this journal among those of its payment: odd ones book the transfer, even ones take it back.
alter table ledger_journals add column booking smallint not null default 1 check (booking >= 1);
create unique index ledger_journals_bookings on ledger_journals (payment_id, booking);

-- The account that the payment had credited when its transfer vanished. The money of its project waits until it has settled again.
alter table payments add column vanished_from text;
create index payments_vanished on payments (vanished_from) where vanished_from is not null and state <> 'settled';

create or replace function payment_settled_is_final() returns trigger language plpgsql as $$
declare
  place constant text[] := '{block_number,log_index}';
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - place = to_jsonb(old) - place then
    return new;
  end if;
  -- Its transfer vanished: a journal of this transaction takes it back.
  if tg_op = 'UPDATE' and new.state <> 'settled' and new.vanished_from is not null
     and (select count(*) % 2 = 0 from ledger_journals where payment_id = new.id) then
    return new;
  end if;
  raise exception 'payment % is settled', old.id;
end $$;

create or replace function payment_has_journal() returns trigger language plpgsql as $$
begin
  if (select count(*) % 2 = 0 from ledger_journals where payment_id = new.id) then
    raise exception 'payment % is settled without a journal', new.id;
  end if;
  return null;
end $$;

-- What the treasury must hold at the block, by the books and the payments in flight.
alter table ledger_checks add column owed_micro bigint;
