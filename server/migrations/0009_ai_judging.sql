-- What the model made of the entries of projects whose poster scored none; see server/judging/ai-judging.ts.

create table ai_judging (
  project_id uuid primary key references projects (id),
  -- scored: the scores of all entries were written to them. impossible: some entry has none, so none counts.
  state text not null check (state in ('running', 'scored', 'impossible')),
  -- Rounds in a row that scored nothing.
  attempts integer not null default 0 check (attempts >= 0),
  -- What requests cost; while one is under way, the most that it may cost.
  tokens_used bigint not null default 0 check (tokens_used >= 0),
  -- The last problem, in the service's own words.
  error text,
  -- Until then a process is at it, or a fault is waited out.
  due_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

-- Kept as they come: a restart goes on where it stopped, and pays for no entry twice.
create table ai_scores (
  submission_id uuid primary key references submissions (id),
  project_id uuid not null references ai_judging (project_id),
  -- Requests whose answers were none.
  attempts integer not null default 0 check (attempts >= 0),
  score smallint check (score between 1 and 5),
  reason text,
  updated_at timestamptz(3) not null,
  check ((score is null) = (reason is null))
);
create index ai_scores_project on ai_scores (project_id);
