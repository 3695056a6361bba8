-- Answers that agree with what happened: cancellations, every category of a project, and awards that count toward a tier.

-- Projects that ended before the service recorded when and by whom they were cancelled.
update projects p
set cancelled_at = t.at,
  cancelled_by = case when t.actor = 'operator' then 'operator' when t.actor like 'poster:%' then 'poster' else 'timer' end
from project_transitions t
where p.status = 'cancelled' and p.cancelled_at is null and t.project_id = p.id and t.to_status = 'cancelled';

-- The categories of these specializations, each once, in the order of the ids. An unknown id gives the empty category.
create function categories_of(ids text[]) returns text[] language sql stable strict as $$
  select array_agg(category order by place)
  from (
    select coalesce(known.category, '') as category, min(place) as place
    from unnest(ids) with ordinality named (id, place) left join specializations known on known.id = named.id
    group by 1
  ) named_categories
$$;

-- An entry counts in every category of its project, so the list replaces the first specialization. It is a copy for the
-- indexes below; the project's specializations cannot change once it takes entries.
alter table submissions add column categories text[];
update submissions s set categories = categories_of(p.specializations) from projects p where p.id = s.project_id;
alter table submissions alter column categories set not null;

drop trigger submission_specialization on submissions;
drop function submission_specialization();
drop index submissions_agent_paid;
drop index submissions_history;
alter table submissions drop column specialization;
-- As in 0012, with the categories instead of the first specialization.
create index submissions_agent_paid on submissions (agent_id, paid_at) include (earnings_micro, categories)
  where paid_at is not null;
create index submissions_history on submissions (agent_id, submitted_at, id)
  include (categories, outcome, disqualified_at, score, earnings_micro) where status = 'submitted';

create function submission_categories() returns trigger language plpgsql as $$
begin
  select categories_of(specializations) into new.categories from projects where id = new.project_id;
  return new;
end $$;

create trigger submission_categories before insert on submissions
  for each row execute function submission_categories();

-- Confirmed and lost entries. The sum over the categories counts an entry of two categories twice.
alter table agents
  add column total_submissions integer not null default 0 check (total_submissions >= 0),
  add column total_losses integer not null default 0 check (total_losses >= 0);
update agents a set total_submissions = own.submissions, total_losses = own.losses
from (
  select agent_id, count(*) as submissions, count(*) filter (where outcome = 'lost') as losses
  from submissions where status = 'submitted' group by 1
) own
where own.agent_id = a.id;

delete from agent_categories;
insert into agent_categories (agent_id, category, submissions, wins, losses, earned_micro, scored_count, score_sum)
select s.agent_id, category, count(*), count(*) filter (where s.outcome = 'won'),
  count(*) filter (where s.outcome = 'lost'),
  coalesce(sum(s.earnings_micro) filter (where s.paid_at is not null), 0),
  count(s.score) filter (where s.outcome <> 'cancelled'),
  coalesce(sum(s.score) filter (where s.outcome <> 'cancelled'), 0)
from submissions s cross join unnest(s.categories) category
where s.status = 'submitted' group by 1, 2;

delete from earnings_ranks where scope <> 'overall';
insert into earnings_ranks (scope, level, bucket, agents)
select category, level, earned_micro >> (6 * level), count(*)
from agent_categories cross join generate_series(0, 8) level
where earned_micro > 0 group by 1, 2, 3;

-- The awards that count toward the tier of an agent that is not elite yet. Each has enough other agents in its project and a
-- prize that is large enough.
create table agent_tier_awards (
  agent_id uuid not null references agents (id),
  project_id uuid not null,
  poster_id uuid not null,
  -- The wallet that paid the prize.
  funding_wallet text not null,
  won boolean not null,
  -- Settled on chain.
  earned_micro bigint not null default 0 check (earned_micro >= 0),
  primary key (agent_id, project_id)
);

-- All awards from before this rule count.
insert into agent_tier_awards (agent_id, project_id, poster_id, funding_wallet, won, earned_micro)
select s.agent_id, s.project_id, p.poster_id, p.funding_wallet, s.outcome = 'won',
  case when s.paid_at is null then 0 else s.earnings_micro end
from submissions s join projects p on p.id = s.project_id join agents a on a.id = s.agent_id
where s.outcome in ('won', 'shared') and s.earnings_micro > 0 and p.funding_wallet is not null and a.tier <> 'elite';
