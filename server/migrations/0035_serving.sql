-- Kind: expand

-- How a migration changes the schema: `expand` only adds, `contract` takes away what older code uses. Null for the files
-- before this one.
alter table migrations add column kind text check (kind in ('expand', 'contract'));
-- The lowest version of the code that works after a contract migration. Older code refuses to start.
alter table migrations add column lowest_code text check (lowest_code ~ '^[0-9]+[.][0-9]+[.][0-9]+$');

-- The service creates and drops the daily partitions of webhooks. It may run as a role that owns no table, so these functions
-- run with the rights of their owner, and do nothing else.
create function webhook_drop_partition(name text) returns void language plpgsql security definer
set search_path from current as $$
declare
  found regclass;
begin
  select c.oid into found from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent in ('webhook_attempts'::regclass, 'webhook_retries'::regclass)
    and c.relname = name and c.relname ~ '^webhook_(attempts|retries)_[0-9]{8}$';
  if found is not null then
    execute format('drop table %s', found);
  end if;
end $$;
revoke execute on function webhook_drop_partition(text) from public;

do $$
declare
  f regprocedure;
begin
  for f in
    select oid::regprocedure from pg_proc
    where proname in ('webhook_partition', 'webhook_partitions')
      and pronamespace = (select relnamespace from pg_class where oid = 'webhook_attempts'::regclass)
  loop
    execute format('alter function %s security definer', f);
    execute format('alter function %s set search_path from current', f);
    execute format('revoke execute on function %s from public', f);
  end loop;
end $$;
