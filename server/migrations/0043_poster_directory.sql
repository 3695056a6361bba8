-- Kind: expand

-- The operator's directory of posters: how a search finds them by name, and who is suspended. It is a table of its own, so
-- that its indexes stop no writer of posters. A trigger fills it, because the version before inserts posters too.

create table poster_directory (
  poster_id uuid primary key references posters (id),
  name_key text collate "C" not null,
  -- A suspended poster publishes nothing new. Its open briefs go on.
  suspended_at timestamptz(3),
  suspend_reason text,
  constraint poster_directory_suspended check ((suspended_at is null) = (suspend_reason is null))
);

create index poster_directory_name on poster_directory (name_key, poster_id);
create index poster_directory_suspensions on poster_directory (poster_id desc) where suspended_at is not null;

create function poster_is_listed() returns trigger language plpgsql as $$
begin
  insert into poster_directory (poster_id, name_key) values (new.id, lower(new.name))
  on conflict (poster_id) do update set name_key = excluded.name_key;
  return null;
end $$;

create trigger poster_is_listed after insert or update of name on posters for each row execute function poster_is_listed();

insert into poster_directory (poster_id, name_key) select id, lower(name) from posters on conflict do nothing;
