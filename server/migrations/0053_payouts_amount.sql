-- Kind: expand, concurrently

-- The operator's list of payouts by amount.
create index concurrently if not exists payouts_amount on payouts (amount_micro);
