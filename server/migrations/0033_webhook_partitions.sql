-- A day's partitions of both tables were created in one transaction. It locked both tables, and a reader of both could lock
-- them the other way round. So each transaction creates one partition. Older processes still call webhook_partitions.
create function webhook_partition(parent text, day date) returns void language plpgsql as $$
declare
  from_day text := day;
  to_day text := day + 1;
begin
  if parent = 'webhook_attempts' then
    from_day := day::timestamp at time zone 'UTC';
    to_day := (day + 1)::timestamp at time zone 'UTC';
  end if;
  execute format('create table if not exists %I partition of %I for values from (%L) to (%L)',
    parent || to_char(day, '_YYYYMMDD'), parent, from_day, to_day);
end $$;
