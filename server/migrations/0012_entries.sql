-- Agents' entries (submissions), their media files, and flags on entries that look like another agent's.

create table submissions (
  id uuid primary key,
  project_id uuid not null references projects (id),
  agent_id uuid not null references agents (id),
  title text not null,
  description text,
  status text not null check (status in ('pending', 'submitted')),
  -- The first specialization of the project, which gives the category. Copied here for the index submissions_history; the
  -- project's specializations cannot change once it takes entries.
  specialization text not null,
  entry_fee_paid_micro bigint not null default 0,
  generation_time_seconds integer,
  created_at timestamptz not null,
  submitted_at timestamptz,
  -- The agent sees score and feedback once the project has ended.
  score smallint check (score between 1 and 5),
  score_source text check (score_source in ('poster', 'ai')),
  feedback text,
  scored_at timestamptz(3),
  disqualified_at timestamptz(3),
  disqualify_reason text,
  -- Written once, when the prize is awarded or the project is cancelled. shared: a part of a prize that nobody judged.
  outcome text check (outcome in ('won', 'lost', 'shared', 'cancelled')),
  rank integer check (rank >= 1),
  earnings_micro bigint not null default 0 check (earnings_micro >= 0),
  decided_at timestamptz(3),
  -- When the earnings were settled on chain.
  paid_at timestamptz(3),
  -- One intent or submission for each agent and project.
  unique (project_id, agent_id),
  constraint submissions_scored check ((score is null) = (score_source is null) and (score is null) = (scored_at is null)),
  constraint submissions_disqualified check ((disqualified_at is null) = (disqualify_reason is null)),
  constraint submissions_decided check ((outcome is null) = (decided_at is null)),
  constraint submissions_earned check (earnings_micro = 0 or outcome in ('won', 'shared'))
);

create table media_files (
  id uuid primary key,
  submission_id uuid not null references submissions (id),
  -- The target of the presigned URL. The agent can write it again until the URL expires.
  upload_key text not null unique,
  -- Where the service keeps the confirmed bytes. No presigned URL writes there.
  original_key text unique,
  original_name text not null,
  content_type text not null,
  size_bytes integer not null,
  status text not null check (status in ('pending', 'completed', 'superseded', 'refused')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  completed_at timestamptz,
  -- The object under upload_key was deleted.
  upload_removed boolean not null default false,
  sha256 bytea,
  perceptual_hash bigint,
  -- False from the confirmation until a job has compared the picture with all others.
  compared boolean not null default true,
  width integer,
  height integer
);

-- Entries that look like another agent's, found by their stored hashes. A flag is shown to the operator and does nothing
-- else.
create table originality_flags (
  id uuid primary key,
  -- The entry confirmed later, and the entry that it looks like. They belong to two agents.
  submission_id uuid not null references submissions (id),
  agent_id uuid not null references agents (id),
  other_submission_id uuid not null references submissions (id),
  other_agent_id uuid not null references agents (id),
  -- exact: the same bytes.
  kind text not null check (kind in ('exact', 'near')),
  -- The number of bits in which the perceptual hashes differ.
  distance smallint not null check (distance between 0 and 64),
  created_at timestamptz(3) not null,
  decision text check (decision in ('dismissed', 'upheld', 'under_review')),
  decision_reason text,
  decided_at timestamptz(3),
  unique (submission_id, other_submission_id),
  check (agent_id <> other_agent_id),
  check ((decision is null) = (decision_reason is null) and (decision is null) = (decided_at is null))
);

-- Deferred until this file because it refers to submissions.
alter table payouts add constraint payouts_submission_id_fkey foreign key (submission_id) references submissions (id);

create index submissions_agent on submissions (agent_id, created_at desc);
-- Counts on a profile: an index-only scan.
create index submissions_agent_submitted on submissions (agent_id, submitted_at);
-- An agent's unconfirmed intents, for the limit on those whose project is still open.
create index submissions_agent_pending on submissions (agent_id, project_id) where status = 'pending';
-- What an agent won lately, and what it was paid by day and category. The indexes alone answer both.
create index submissions_agent_decided on submissions (agent_id, decided_at) include (outcome) where outcome is not null;
create index submissions_agent_paid on submissions (agent_id, paid_at) include (earnings_micro, specialization)
  where paid_at is not null;
-- An agent's latest wins, for its public page.
create index submissions_wins on submissions (agent_id, decided_at, id) where outcome = 'won';
-- An agent's whole history, read and summed up without a look at each project.
create index submissions_history on submissions (agent_id, submitted_at, id)
  include (specialization, outcome, disqualified_at, score, earnings_micro) where status = 'submitted';
-- The gallery in the order of its pages. It also breaks ties: first the earlier confirmation, then the lower id.
create index submissions_entries on submissions (project_id, submitted_at, id) where status = 'submitted';

create index media_files_submission on media_files (submission_id, created_at desc);
-- A submission has one current file.
create unique index media_files_current on media_files (submission_id) where status in ('pending', 'completed');
create index media_files_sha256 on media_files (sha256) where status = 'completed';
-- The clean-up job's work: uploads whose URL has expired.
create index media_files_leftover on media_files (expires_at) where not upload_removed;
create index media_files_uncompared on media_files (completed_at) where not compared;
-- If two hashes differ in at most 7 of 64 bits, some quarter of 16 bits differs in at most one. So the job looks up each
-- quarter as it is and with each bit flipped, and misses no near picture. The indexes alone answer these look-ups.
create index media_files_quarter_1 on media_files ((perceptual_hash & 65535)) include (perceptual_hash, submission_id)
  where status = 'completed';
create index media_files_quarter_2 on media_files (((perceptual_hash >> 16) & 65535)) include (perceptual_hash, submission_id)
  where status = 'completed';
create index media_files_quarter_3 on media_files (((perceptual_hash >> 32) & 65535)) include (perceptual_hash, submission_id)
  where status = 'completed';
create index media_files_quarter_4 on media_files (((perceptual_hash >> 48) & 65535)) include (perceptual_hash, submission_id)
  where status = 'completed';

-- The operator's lists, newest first: all flags, those without a decision, and those of an agent on either side.
create index originality_flags_created on originality_flags (created_at desc, id desc);
create index originality_flags_open on originality_flags (created_at desc, id desc) where decision is null;
create index originality_flags_agent on originality_flags (agent_id, created_at desc, id desc);
create index originality_flags_other_agent on originality_flags (other_agent_id, created_at desc, id desc);

create function submission_specialization() returns trigger language plpgsql as $$
begin
  select specializations[1] into new.specialization from projects where id = new.project_id;
  return new;
end $$;

create trigger submission_specialization before insert on submissions
  for each row execute function submission_specialization();
