-- Times are kept to the millisecond, which is what the API shows: a keyset cursor made of a shown time is then exact.
create table projects (
  id uuid primary key,
  poster_id uuid not null references posters (id),
  title text not null,
  description text not null,
  requirements text not null,
  project_type_id text not null default 'image' check (project_type_id = 'image'),
  prize_micro bigint not null check (prize_micro > 0),
  entry_fee_micro bigint not null check (entry_fee_micro >= 0),
  -- Parts per million of the prize; fixed when drafted.
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
  -- Frozen when the project opens, so that a 402 and its retry match to the letter.
  network text,
  asset text check (asset ~ '^0x[0-9a-f]{40}$'),
  pay_to text check (pay_to ~ '^0x[0-9a-f]{40}$'),
  -- The wallet that paid the prize; it can't compete here.
  funding_wallet text check (funding_wallet ~ '^0x[0-9a-f]{40}$'),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  published_at timestamptz(3),
  -- When agents below elite see it: published_at + early access.
  visible_at timestamptz(3),
  completed_at timestamptz(3),
  -- What search shows of it as JSON text, but for its specializations; kept by the trigger project_card.
  card text not null,
  check (status in ('draft', 'cancelled') or (published_at is not null and visible_at is not null
    and network is not null and asset is not null and pay_to is not null and funding_wallet is not null))
  -- A brief of usual length and its card stay in the row, uncompressed: search reads 21 of them a page.
) with (toast_tuple_target = 4080);
create index projects_poster on projects (poster_id, created_at desc, id desc);
-- For searches with max_total_submissions where few projects have so few: 1.5 ms against 1.6 s at 1,000,000 projects.
create index projects_entries on projects (total_submissions) where published_at is not null;

-- A page of search results is made of texts that are ready: 0.11 ms of the service's CPU in place of 0.28 ms for reading,
-- shaping and writing 20 rows. contract/projects.ts says what is in it; a test holds the two together.
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

create trigger project_card before insert or update on projects for each row execute function project_card();

create table project_transitions (
  project_id uuid not null references projects (id) on delete cascade,
  from_status text not null,
  to_status text not null,
  actor text not null,
  reason text,
  at timestamptz(3) not null
);
create index project_transitions_project on project_transitions (project_id, at);

-- What search walks: one row for every subset of a published project's specializations, the empty one included (at most
-- 2^5 rows). So "all of these" is one key whatever the ids, "any" is one key each, no filter is the key '', and every
-- search is an ordered walk that stops after a page. A GIN index finds the matches too, but has to sort them all.
-- Drafts have no rows.
create table project_listings (
  created_at timestamptz(3) not null,
  prize_micro bigint not null,
  entry_fee_micro bigint not null,
  visible_at timestamptz(3) not null,
  project_id uuid not null references projects (id),
  status text collate "C" not null,
  -- Sorted ids joined by commas.
  spec_key text collate "C" not null
);
-- Statements are planned once for all keys. Told the truth (174,000 possible keys), the planner expects a handful of rows
-- for each and sorts what it finds; told 20, it walks the index in order. At 10,000 projects already: 43 ms against 0.4 ms.
alter table project_listings alter column spec_key set (n_distinct = 20);
-- Along one key a project comes once: without this the planner puts a cache between walk and projects, and 1.7 ms into
-- setting it up.
alter table project_listings alter column project_id set (n_distinct = -1);
create index project_listings_created on project_listings (spec_key, status, created_at, project_id);
create index project_listings_prize on project_listings (spec_key, status, prize_micro, project_id);
create index project_listings_fee on project_listings (spec_key, status, entry_fee_micro, project_id);
-- For the change of status, and for the foreign key when a draft is deleted.
create index project_listings_project on project_listings (project_id);

-- The keys under which a project with these specializations is listed.
create function listing_keys(specializations text[]) returns setof text language sql immutable strict as $$
  select coalesce(string_agg(id, ',' order by id collate "C") filter (where (subset >> (place - 1)::integer) & 1 = 1), '')
  from generate_series(0, (1 << cardinality(specializations)) - 1) subset,
    unnest(specializations) with ordinality named (id, place)
  group by subset
$$;

create table submissions (
  id uuid primary key,
  project_id uuid not null references projects (id),
  agent_id uuid not null references agents (id),
  title text not null,
  description text,
  status text not null check (status in ('pending', 'submitted')),
  entry_fee_paid_micro bigint not null default 0,
  created_at timestamptz not null,
  submitted_at timestamptz,
  generation_time_seconds integer,
  -- One intent or submission per agent and project.
  unique (project_id, agent_id)
);
create index submissions_agent on submissions (agent_id, created_at desc);
-- Counts of a profile: an index-only scan.
create index submissions_agent_submitted on submissions (agent_id, submitted_at);

create table media_files (
  id uuid primary key,
  submission_id uuid not null references submissions (id),
  -- Where the presigned URL writes; it can be written again until the URL expires.
  upload_key text not null unique,
  -- Where the confirmed bytes are kept, out of reach of any URL.
  original_key text unique,
  original_name text not null,
  content_type text not null,
  size_bytes integer not null,
  status text not null check (status in ('pending', 'completed', 'superseded', 'refused')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  completed_at timestamptz,
  -- The object under upload_key was removed.
  upload_removed boolean not null default false,
  sha256 bytea,
  perceptual_hash bigint,
  width integer,
  height integer
);
create index media_files_submission on media_files (submission_id, created_at desc);
-- One file at a time is the submission's.
create unique index media_files_current on media_files (submission_id) where status in ('pending', 'completed');
create index media_files_sha256 on media_files (sha256) where status = 'completed';
-- The clean-up's work: uploads whose URL has expired.
create index media_files_leftover on media_files (expires_at) where not upload_removed;
