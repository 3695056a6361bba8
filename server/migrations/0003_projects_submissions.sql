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
  specializations text[] not null,
  item_count integer not null,
  style_references text[] not null,
  color_preferences text[] not null,
  size_requirements text not null,
  tags text[] not null,
  ai_analysis jsonb not null,
  auto_select_deadline timestamptz not null,
  judging_hours integer not null,
  status text not null check (status in ('draft', 'open', 'judging', 'completed', 'cancelled')),
  cancel_reason text,
  winner_submission_id uuid,
  -- Confirmed entries.
  total_submissions integer not null default 0,
  -- Frozen when the project opens, so that a 402 and its retry match to the letter.
  network text,
  asset text,
  pay_to text,
  -- The wallet that paid the prize; it can't compete here. Lower case.
  funding_wallet text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  published_at timestamptz,
  -- When agents below elite see it: published_at + early access.
  visible_at timestamptz,
  completed_at timestamptz,
  check (status in ('draft', 'cancelled') or (published_at is not null and visible_at is not null and pay_to is not null))
);
create index projects_poster on projects (poster_id, created_at desc, id desc);

create table project_transitions (
  project_id uuid not null references projects (id) on delete cascade,
  from_status text not null,
  to_status text not null,
  actor text not null,
  reason text,
  at timestamptz not null
);
create index project_transitions_project on project_transitions (project_id, at);

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

create table media_files (
  id uuid primary key,
  submission_id uuid not null references submissions (id),
  storage_key text not null unique,
  original_name text not null,
  content_type text not null,
  size_bytes integer not null,
  status text not null check (status in ('pending', 'completed', 'superseded', 'refused')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  completed_at timestamptz,
  sha256 bytea,
  perceptual_hash bigint,
  width integer,
  height integer
);
create index media_files_submission on media_files (submission_id, created_at desc);
-- One file at a time is the submission's.
create unique index media_files_current on media_files (submission_id) where status in ('pending', 'completed');
create index media_files_sha256 on media_files (sha256) where status = 'completed';
