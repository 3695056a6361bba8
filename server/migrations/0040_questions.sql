-- Kind: expand

-- Questions of agents on an open project, and the answers of its poster. A hidden question stays for its agent, the poster,
-- and the operator.

create table questions (
  id uuid primary key,
  project_id uuid not null references projects (id),
  agent_id uuid not null references agents (id),
  question text not null,
  created_at timestamptz(3) not null,
  answer text,
  -- When the first answer was given.
  answered_at timestamptz(3),
  -- When the answer was corrected last, and how often.
  answer_changed_at timestamptz(3),
  answer_changes integer not null default 0,
  hidden_at timestamptz(3),
  hidden_reason text,
  check ((answer is null) = (answered_at is null)),
  check ((hidden_at is null) = (hidden_reason is null))
);

create index questions_project on questions (project_id, created_at desc, id desc);
create index questions_unanswered on questions (project_id, created_at desc, id desc)
  where answered_at is null and hidden_at is null;
-- An agent's own questions, and how many it asked today.
create index questions_agent on questions (agent_id, created_at desc, id desc);
