-- AI judging: the model scores the entries of projects whose poster scored none.

create table ai_judging (
  project_id uuid primary key references projects (id),
  -- scored: every entry has its score. impossible: some entry has none, so no score counts.
  state text not null check (state in ('running', 'scored', 'impossible')),
  -- Consecutive rounds that scored nothing.
  attempts integer not null default 0 check (attempts >= 0),
  -- What the requests cost. During a request it includes the most that the request may cost.
  tokens_used bigint not null default 0 check (tokens_used >= 0),
  -- The last problem, in the service's own words.
  error text,
  -- Until then a process works on the project, or waits after a fault.
  due_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

-- The service stores each score as it arrives. So a restart continues where it stopped and pays for no entry twice.
create table ai_scores (
  submission_id uuid primary key references submissions (id),
  project_id uuid not null references ai_judging (project_id),
  -- Requests without a usable answer.
  attempts integer not null default 0 check (attempts >= 0),
  score smallint check (score between 1 and 5),
  reason text,
  updated_at timestamptz(3) not null,
  check ((score is null) = (reason is null))
);

create index ai_scores_project on ai_scores (project_id);
