-- Entries of several files. A file that was inspected while others of its confirmation were not keeps the status
-- `pending`, with its original_key and the facts that the inspection found.

-- How many items the confirmation under way needs. Null: those that are there.
alter table media_files add column confirm_items smallint check (confirm_items between 1 and 20);

-- The items of the two entries that are most alike. A flag from before is about item 1.
alter table originality_flags add column item smallint not null default 1 check (item between 1 and 20);
alter table originality_flags add column other_item smallint not null default 1 check (other_item between 1 and 20);
