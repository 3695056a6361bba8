-- What the operator's overview and list of projects read, so that they cost the same at any size.

-- Money in and out by UTC day.
create index payments_settled on payments (settled_at) include (kind, amount_micro) where state = 'settled';
-- Days that are over, summed up by who first asks: what is settled stays as it was settled. A kept day has a row of each kind.
create table payment_days (
  day date not null,
  kind text not null check (kind in ('entry_fee', 'escrow', 'payout', 'refund')),
  payments integer not null check (payments >= 0),
  amount_micro bigint not null check (amount_micro >= 0),
  primary key (day, kind)
);

-- What the check found on both sides: the treasury in the books, and its USDC on chain at the check's block.
alter table ledger_checks add column treasury_micro bigint, add column chain_micro bigint;

-- How many projects there are in each status. Several rows a status, so that drafts do not wait for one. A change of status is
-- counted at commit: last of all locks, and held by nobody who waits for another.
create table project_counts (
  status text not null check (status in ('draft', 'open', 'judging', 'completed', 'cancelled')),
  stripe integer not null check (stripe between 0 and 15),
  projects bigint not null check (projects >= 0),
  primary key (status, stripe)
);

create function project_stripe(id uuid) returns integer language sql immutable strict as $$
  select get_byte(uuid_send(id), 15) & 15
$$;

create function count_projects() returns trigger language plpgsql as $$
begin
  update project_counts
  set projects = project_counts.projects + case tg_op when 'INSERT' then changed.count else -changed.count end
  from (select status, project_stripe(id) as stripe, count(*) as count from changed_projects group by 1, 2) changed
  where (project_counts.status, project_counts.stripe) = (changed.status, changed.stripe);
  return null;
end $$;
create trigger count_new_projects after insert on projects referencing new table as changed_projects
  for each statement execute function count_projects();
create trigger count_gone_projects after delete on projects referencing old table as changed_projects
  for each statement execute function count_projects();

-- First where it came from: a project never goes back, so no two wait for each other.
create function count_moved_project() returns trigger language plpgsql as $$
begin
  update project_counts set projects = projects - 1 where status = old.status and stripe = project_stripe(old.id);
  update project_counts set projects = projects + 1 where status = new.status and stripe = project_stripe(new.id);
  return null;
end $$;
create constraint trigger count_moved_project after update of status on projects
  deferrable initially deferred for each row when (old.status is distinct from new.status)
  execute function count_moved_project();

-- After the triggers, whose locks let nobody write until this is committed.
insert into project_counts (status, stripe, projects)
select status, stripe, 0
from unnest(array['draft', 'open', 'judging', 'completed', 'cancelled']) status, generate_series(0, 15) stripe;
update project_counts set projects = counted.count
from (select status, project_stripe(id) as stripe, count(*) as count from projects group by 1, 2) counted
where (project_counts.status, project_counts.stripe) = (counted.status, counted.stripe);

-- Drafts, and what was cancelled as one: they are in no listing.
create index projects_unpublished on projects (status, created_at desc, id desc) where published_at is null;
create index projects_unpublished_title on projects using gin (to_tsvector('simple', title)) where published_at is null;

-- Deliveries that were given up.
create index webhook_retries_dead on webhook_retries (dead_at) where dead_at is not null;
