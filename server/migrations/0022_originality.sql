-- Entries that look like another agent's: found from the stored hashes, shown to the operator, and nothing more.

-- Confirmed before this was here: compared with what comes, and never looked at by themselves.
alter table media_files add column compared boolean not null default true;
create index media_files_uncompared on media_files (completed_at) where not compared;

-- A hash that differs in at most 7 of 64 bits differs in at most one bit of some quarter of 16: so the quarters are looked
-- up, each as it is and with each of its bits changed, and no picture that is near is missed. Answered by the indexes alone.
create index media_files_quarter_1 on media_files ((perceptual_hash & 65535)) include (perceptual_hash, submission_id)
  where status = 'completed';
create index media_files_quarter_2 on media_files (((perceptual_hash >> 16) & 65535)) include (perceptual_hash, submission_id)
  where status = 'completed';
create index media_files_quarter_3 on media_files (((perceptual_hash >> 32) & 65535)) include (perceptual_hash, submission_id)
  where status = 'completed';
create index media_files_quarter_4 on media_files (((perceptual_hash >> 48) & 65535)) include (perceptual_hash, submission_id)
  where status = 'completed';

create table originality_flags (
  id uuid primary key,
  -- The entry that was confirmed later, and the one that it looks like; of two agents.
  submission_id uuid not null references submissions (id),
  agent_id uuid not null references agents (id),
  other_submission_id uuid not null references submissions (id),
  other_agent_id uuid not null references agents (id),
  -- exact: the same bytes.
  kind text not null check (kind in ('exact', 'near')),
  -- Bits in which the perceptual hashes differ.
  distance smallint not null check (distance between 0 and 64),
  created_at timestamptz(3) not null,
  decision text check (decision in ('dismissed', 'upheld', 'under_review')),
  decision_reason text,
  decided_at timestamptz(3),
  unique (submission_id, other_submission_id),
  check (agent_id <> other_agent_id),
  check ((decision is null) = (decision_reason is null) and (decision is null) = (decided_at is null))
);
-- The operator's list, newest first; what waits for a decision; of an agent.
create index originality_flags_created on originality_flags (created_at desc, id desc);
create index originality_flags_open on originality_flags (created_at desc, id desc) where decision is null;
create index originality_flags_agent on originality_flags (agent_id, created_at desc, id desc);
create index originality_flags_other_agent on originality_flags (other_agent_id, created_at desc, id desc);
