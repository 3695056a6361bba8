-- Projects, their lifecycle, the listings that searches read, and the operator's counts.

-- Times have milliseconds, as in the API, so a keyset cursor made from a shown time is exact.
create table projects (
  id uuid primary key,
  poster_id uuid not null references posters (id),
  title text not null,
  description text not null,
  requirements text not null,
  project_type_id text not null default 'image' check (project_type_id = 'image'),
  prize_micro bigint not null check (prize_micro > 0),
  entry_fee_micro bigint not null check (entry_fee_micro >= 0),
  -- Parts per million of the prize. Fixed in the draft.
  platform_fee_ppm integer not null check (platform_fee_ppm between 0 and 1000000),
  specializations text[] not null check (cardinality(specializations) between 1 and 5),
  item_count integer not null,
  style_references text[] not null,
  color_preferences text[] not null,
  size_requirements text not null,
  tags text[] not null,
  ai_analysis jsonb not null,
  auto_select_deadline timestamptz(3) not null,
  judging_hours integer not null,
  status text not null check (status in ('draft', 'open', 'judging', 'completed', 'cancelled')),
  cancel_reason text,
  winner_submission_id uuid,
  -- Confirmed entries.
  total_submissions integer not null default 0 check (total_submissions >= 0),
  -- Fixed when the project opens, so that a 402 and its retry match exactly.
  network text,
  asset text check (asset ~ '^0x[0-9a-f]{40}$'),
  pay_to text check (pay_to ~ '^0x[0-9a-f]{40}$'),
  -- The wallet that paid the prize. It cannot compete in this project.
  funding_wallet text check (funding_wallet ~ '^0x[0-9a-f]{40}$'),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  published_at timestamptz(3),
  -- When agents below elite see it: published_at plus early access.
  visible_at timestamptz(3),
  -- When the project stopped taking entries and judging began.
  closed_at timestamptz(3),
  judging_ends_at timestamptz(3),
  -- When the winner was decided. Nothing about the outcome changes after this time.
  awarded_at timestamptz(3),
  -- What decided it: the poster's choice, the poster's scores, the AI judge's scores, or a split because nothing was scored.
  selection text check (selection in ('poster', 'scores', 'ai', 'split')),
  completed_at timestamptz(3),
  -- When the timers look at the project next. Null: nothing is due by time.
  due_at timestamptz(3),
  -- The project as JSON text for search results, without its specializations. The trigger project_card writes it.
  card text not null,
  check (status in ('draft', 'cancelled') or (published_at is not null and visible_at is not null
    and network is not null and asset is not null and pay_to is not null and funding_wallet is not null)),
  constraint projects_award check ((awarded_at is null) = (selection is null))
  -- Search reads 21 rows a page. With this target, a brief of usual length and its card stay in the row, uncompressed.
) with (toast_tuple_target = 4080);

create table project_transitions (
  project_id uuid not null references projects (id) on delete cascade,
  from_status text not null,
  to_status text not null,
  actor text not null,
  reason text,
  at timestamptz(3) not null
);

-- What search reads: one row for every subset of a published project's specializations, including the empty one (at most
-- 2^5 rows). "All of these" is then one key, "any" is one key for each id, and no filter is the key ''. So every search
-- walks an index in order and stops after a page. A GIN index would find the matches too, but would have to sort them all.
-- Drafts have no rows.
create table project_listings (
  created_at timestamptz(3) not null,
  prize_micro bigint not null,
  entry_fee_micro bigint not null,
  visible_at timestamptz(3) not null,
  project_id uuid not null references projects (id),
  status text collate "C" not null,
  -- Sorted ids, joined by commas.
  spec_key text collate "C" not null
);
-- PostgreSQL plans a statement once for all keys. With the real number of keys (174,000 possible), the planner expects a
-- handful of rows for each key and sorts them. With 20, it walks the index in order.
alter table project_listings alter column spec_key set (n_distinct = 20);
-- A project appears once along a key. Without this, the planner adds a cache between the walk and projects, which costs
-- more than it saves.
alter table project_listings alter column project_id set (n_distinct = -1);

-- The number of projects in each status, for the operator's overview. Each status has several rows, so that drafts do not
-- wait for one row's lock.
create table project_counts (
  status text not null check (status in ('draft', 'open', 'judging', 'completed', 'cancelled')),
  stripe integer not null check (stripe between 0 and 15),
  projects bigint not null check (projects >= 0),
  primary key (status, stripe)
);

-- Deferred until this file because it refers to projects.
alter table webhook_events add constraint webhook_events_project_id_fkey foreign key (project_id) references projects (id);

create index projects_poster on projects (poster_id, created_at desc, id desc);
-- For searches with max_total_submissions, where few projects have so few entries.
create index projects_entries on projects (total_submissions) where published_at is not null;
create index projects_due on projects (due_at) where due_at is not null;
-- Finds the few of an agent's unconfirmed intents whose project still takes entries. Most such projects have ended.
create index projects_open on projects (id) include (auto_select_deadline) where status = 'open';
-- The words of titles, for searches of the public market where few projects have a word.
create index projects_title on projects using gin (to_tsvector('simple', title)) where published_at is not null;
-- The operator's list of drafts and cancelled drafts, which are in no listing.
create index projects_unpublished on projects (status, created_at desc, id desc) where published_at is null;
create index projects_unpublished_title on projects using gin (to_tsvector('simple', title)) where published_at is null;
create index project_transitions_project on project_transitions (project_id, at);
create index project_listings_created on project_listings (spec_key, status, created_at, project_id);
create index project_listings_prize on project_listings (spec_key, status, prize_micro, project_id);
create index project_listings_fee on project_listings (spec_key, status, entry_fee_micro, project_id);
-- For the change of status, and for the foreign key when a draft is deleted.
create index project_listings_project on project_listings (project_id);

-- The keys under which search finds a project with these specializations.
create function listing_keys(specializations text[]) returns setof text language sql immutable strict as $$
  select coalesce(string_agg(id, ',' order by id collate "C") filter (where (subset >> (place - 1)::integer) & 1 = 1), '')
  from generate_series(0, (1 << cardinality(specializations)) - 1) subset,
    unnest(specializations) with ordinality named (id, place)
  group by subset
$$;

-- A page of search results is joined from these texts, which costs less CPU than to read, shape and serialize 20 rows.
-- The contract defines the fields; a test compares the two.
create function project_card() returns trigger language plpgsql as $$
declare
  -- In quotes, as it stands in JSON.
  iso constant text := '"\""YYYY-MM-DD"T"HH24:MI:SS.MS"Z\""';
begin
  new.card := concat(
    '{"id":"', new.id, '","poster_id":"', new.poster_id,
    '","title":', to_json(new.title), ',"description":', to_json(new.description),
    ',"prize_amount":', trim_scale(new.prize_micro / 1000000::numeric), ',"prize_amount_micro":', new.prize_micro,
    ',"entry_fee":', trim_scale(new.entry_fee_micro / 1000000::numeric), ',"entry_fee_micro":', new.entry_fee_micro,
    ',"project_type_id":', to_json(new.project_type_id), ',"requirements":', to_json(new.requirements),
    ',"item_count":', new.item_count, ',"style_references":', to_json(new.style_references),
    ',"color_preferences":', to_json(new.color_preferences), ',"size_requirements":', to_json(new.size_requirements),
    ',"auto_select_deadline":', to_char(new.auto_select_deadline at time zone 'UTC', iso),
    ',"status":', to_json(new.status),
    ',"winner_submission_id":', coalesce(to_json(new.winner_submission_id)::text, 'null'),
    ',"total_submissions":', new.total_submissions,
    ',"platform_fee_rate":', trim_scale(new.platform_fee_ppm / 1000000::numeric),
    ',"ai_analysis":{"complexity_score":', new.ai_analysis -> 'complexity_score',
    ',"estimated_hours":', new.ai_analysis -> 'estimated_hours', '}',
    ',"metadata":{"tags":', to_json(new.tags), '}',
    ',"created_at":', to_char(new.created_at at time zone 'UTC', iso),
    ',"updated_at":', to_char(new.updated_at at time zone 'UTC', iso),
    ',"published_at":', coalesce(to_char(new.published_at at time zone 'UTC', iso), 'null'),
    ',"completed_at":', coalesce(to_char(new.completed_at at time zone 'UTC', iso), 'null'),
    '}');
  return new;
end $$;

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

-- Runs at commit, so that nobody who holds this lock waits for another one. It takes the old status first: a project never
-- goes back to an earlier status, so no two transactions wait for each other.
create function count_moved_project() returns trigger language plpgsql as $$
begin
  update project_counts set projects = projects - 1 where status = old.status and stripe = project_stripe(old.id);
  update project_counts set projects = projects + 1 where status = new.status and stripe = project_stripe(new.id);
  return null;
end $$;

create trigger project_card before insert or update on projects for each row execute function project_card();
create trigger project_transitions_append_only before update or truncate on project_transitions
  for each statement execute function append_only();
create trigger count_new_projects after insert on projects referencing new table as changed_projects
  for each statement execute function count_projects();
create trigger count_gone_projects after delete on projects referencing old table as changed_projects
  for each statement execute function count_projects();
create constraint trigger count_moved_project after update of status on projects
  deferrable initially deferred for each row when (old.status is distinct from new.status)
  execute function count_moved_project();

insert into project_counts (status, stripe, projects)
select status, stripe, 0
from unnest(array['draft', 'open', 'judging', 'completed', 'cancelled']) status, generate_series(0, 15) stripe;
