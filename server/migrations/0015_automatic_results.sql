-- Results that no person chose: their hold, objections to them, and what the AI judge could not score.

alter table projects
  -- A result on hold: an automatic result that is decided and not paid yet. The project stays in judging until the hold
  -- ends. The winner and the shares are computed again when it ends.
  add column held_at timestamptz(3),
  add column held_selection text check (held_selection in ('ai', 'silence')),
  add column held_winner_id uuid,
  -- When the hold ends without an objection.
  add column hold_ends_at timestamptz(3),
  -- When the hold ends: later than hold_ends_at while an objection is open. Null while the operator holds the payout.
  add column held_until timestamptz(3),
  -- Why the operator holds the payout.
  add column hold_reason text,
  -- The project was cancelled and the service kept the platform fee of its prize.
  add column fee_kept boolean not null default false,
  add constraint projects_held check (
    (held_at is null) = (held_selection is null) and (held_at is null) = (hold_ends_at is null)
    and (held_at is not null or (held_winner_id is null and held_until is null and hold_reason is null))),
  add constraint projects_fee_kept check (not fee_kept or status = 'cancelled');

update projects set cancelled_at = moved.at,
  cancelled_by = case when moved.actor like 'poster:%' then 'poster' when moved.actor = 'operator' then 'operator' else 'timer' end
from project_transitions moved
where moved.project_id = projects.id and moved.to_status = 'cancelled' and projects.cancelled_at is null;

-- An entrant's objection to a result on hold.
create table objections (
  id uuid primary key,
  project_id uuid not null references projects (id),
  -- Each entry objects once.
  submission_id uuid not null unique references submissions (id),
  agent_id uuid not null references agents (id),
  reason text not null,
  created_at timestamptz(3) not null,
  -- lapsed: the hold ended before the operator decided.
  decision text check (decision in ('upheld', 'dismissed', 'lapsed')),
  decision_reason text,
  decided_at timestamptz(3),
  constraint objections_decided check ((decision is null) = (decided_at is null))
);

create index objections_project on objections (project_id) where decision is null;
-- The operator's lists, newest first: all objections, and those without a decision.
create index objections_created on objections (created_at desc, id desc);
create index objections_open on objections (created_at desc, id desc) where decision is null;

-- The budget of the AI judge is per entry. `unscorable` says why an entry has no score; the others are judged.
alter table ai_scores
  add column tokens_used bigint not null default 0 check (tokens_used >= 0),
  add column unscorable text,
  add constraint ai_scores_unscorable check (unscorable is null or score is null);

-- The tokens of all projects on a UTC day, including the most that the requests in progress may cost.
create table ai_days (
  day date primary key,
  tokens_used bigint not null check (tokens_used >= 0)
);

-- The win rate is wins divided by wins plus losses. Shares and cancelled projects count in neither.
alter table agent_categories add column losses integer not null default 0 check (losses >= 0);
update agent_categories set losses = counted.losses
from (
  select s.agent_id, coalesce(sp.category, '') as category, count(*) as losses
  from submissions s left join specializations sp on sp.id = s.specialization
  where s.outcome = 'lost' group by 1, 2
) counted
where (agent_categories.agent_id, agent_categories.category) = (counted.agent_id, counted.category);
