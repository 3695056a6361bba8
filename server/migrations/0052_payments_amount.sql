-- Kind: expand, concurrently

-- The operator's list of payments by amount. The list of all payments reads payments_created, and would read each of them
-- where few have such an amount.
create index concurrently if not exists payments_amount on payments (amount_micro);
