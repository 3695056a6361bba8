-- Kind: expand

-- An agent may poll with the time of its own last poll. Such a time can lie after the stamp of a project whose transaction
-- committed later than that poll. So the database remembers which publications committed late, and searches reach
-- further back for them.

-- The time of the newest publication, until another transaction finds that it has committed.
alter table publication_clock add column unconfirmed_at timestamptz(3);

-- Publications that were found to have committed only some time after their stamp. Few are, so the rows stay.
create table late_publications (
  published_at timestamptz(3) not null,
  -- The publication had committed by this time.
  listed_by timestamptz(3) not null,
  primary key (listed_by, published_at)
);

-- A settled payment never changes, except for its place on chain: after a reorganization, the same transaction can be in
-- another block, and its logs at other positions.
create or replace function payment_settled_is_final() returns trigger language plpgsql as $$
declare
  place constant text[] := '{block_number,log_index}';
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - place = to_jsonb(old) - place then
    return new;
  end if;
  raise exception 'payment % is settled', old.id;
end $$;
