-- The treasury's balance is the sum of all other balances, because every journal sums to zero. So nothing stores it:
-- every payment updated that one row, and the payments of all processes waited for each other's commits there. No other
-- balance can fall below zero, so neither can their sum.
create or replace function ledger_entry_post() returns trigger language plpgsql as $$
begin
  if new.line > (select lines from ledger_journals where id = new.journal_id) then
    raise exception 'journal % is closed', new.journal_id;
  end if;
  if new.account_id <> 'treasury' then
    update ledger_accounts
      set balance_micro = balance_micro + case side when 'debit' then new.amount_micro else -new.amount_micro end
      where id = new.account_id;
  end if;
  return new;
end $$;

alter table ledger_accounts disable trigger ledger_account_by_entry;
update ledger_accounts set balance_micro = 0 where id = 'treasury';
alter table ledger_accounts enable trigger ledger_account_by_entry;

-- A stale balance of the treasury would be mistaken for the true one.
alter table ledger_accounts add constraint ledger_treasury_is_summed check (id <> 'treasury' or balance_micro = 0);
