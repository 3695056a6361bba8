-- The audit trail: what operators, posters, agents and timers did, and why.

create table audit_trail (
  id uuid primary key,
  at timestamptz(3) not null,
  -- operator, poster:<id>, agent:<id>, timer, payment:<id>
  actor text not null,
  -- <subject>.<verb>, for example project.cancel
  action text not null,
  -- project:<id>, submission:<id>, payout:<id>, payment:<id>, agent:<id>
  subject text not null,
  reason text,
  details jsonb not null default '{}'
);

create index audit_trail_at on audit_trail (at desc, id desc);
create index audit_trail_subject on audit_trail (subject, at desc, id desc);

-- Other domains use this function for their own append-only tables.
create function append_only() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;

create trigger audit_trail_append_only before update or delete or truncate on audit_trail
  for each statement execute function append_only();
