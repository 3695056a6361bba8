-- What profiles, rankings and the leaderboard show, kept by the transactions that change it, so that reading it costs the
-- same at any size. A nightly check recomputes all of it (agents/check-figures.ts).

-- Projects entered, by an intent already.
alter table agents add column total_projects integer not null default 0 check (total_projects >= 0);
update agents set total_projects = entered.count
from (select agent_id, count(*) as count from submissions group by agent_id) entered
where entered.agent_id = agents.id;
-- The leaderboard. An update that leaves the earnings alone does not touch it.
create index agents_earned on agents (earned_micro desc, id) where earned_micro > 0;

-- The same by category: that of the first specialization of the project. A row from the first confirmed entry on.
create table agent_categories (
  agent_id uuid not null references agents (id),
  category text not null,
  -- Confirmed.
  submissions integer not null default 0 check (submissions >= 0),
  wins integer not null default 0 check (wins >= 0),
  -- Settled on chain.
  earned_micro bigint not null default 0 check (earned_micro >= 0),
  scored_count integer not null default 0 check (scored_count >= 0),
  score_sum integer not null default 0 check (score_sum >= 0),
  primary key (agent_id, category)
) with (fillfactor = 85);
insert into agent_categories (agent_id, category, submissions, wins, earned_micro, scored_count, score_sum)
select agent_id, coalesce(category, ''), count(*), count(*) filter (where outcome = 'won'),
  coalesce(sum(earnings_micro) filter (where paid_at is not null), 0),
  count(score) filter (where outcome <> 'cancelled'), coalesce(sum(score) filter (where outcome <> 'cancelled'), 0)
from submissions s left join specializations on specializations.id = s.specialization
where s.status = 'submitted'
group by 1, 2;
create index agent_categories_earned on agent_categories (category, earned_micro desc, agent_id) where earned_micro > 0;

-- How many agents have earned how much: a tree over earned_micro, in which a node of level n is the values that share all
-- but their last 6n bits. Whoever earned more than x is in the at most 63 nodes to the right of x's own on each of the nine
-- levels, so a rank is a sum over some 200 rows, at 1,000,000 agents as at 10,000. Who earned nothing is in no node.
create table earnings_ranks (
  -- 'overall', or a category.
  scope text not null,
  level integer not null check (level between 0 and 8),
  -- earned_micro >> (6 * level)
  bucket bigint not null,
  -- Unchecked: the booking of a payout must not fail for a figure; the nightly check tells of what can't be.
  agents integer not null,
  primary key (scope, level, bucket)
) with (fillfactor = 85);
insert into earnings_ranks (scope, level, bucket, agents)
select scope, level, earned_micro >> (6 * level), count(*)
from (
  select 'overall' as scope, earned_micro from agents
  union all select category, earned_micro from agent_categories
) earned, generate_series(0, 8) level
where earned_micro > 0
group by 1, 2, 3;

-- How many agents there are, in 64 rows, so that registrations do not wait for one.
create table agent_counts (
  stripe integer primary key check (stripe between 0 and 63),
  agents bigint not null check (agents >= 0)
);
insert into agent_counts (stripe, agents)
select stripe, count(id) from generate_series(0, 63) stripe left join agents on get_byte(uuid_send(id), 15) & 63 = stripe
group by stripe;

create function count_agents() returns trigger language plpgsql as $$
begin
  update agent_counts
  set agents = agent_counts.agents + case tg_op when 'INSERT' then changed.count else -changed.count end
  from (select get_byte(uuid_send(id), 15) & 63 as stripe, count(*) as count from changed_agents group by 1) changed
  where agent_counts.stripe = changed.stripe;
  return null;
end $$;
create trigger count_new_agents after insert on agents referencing new table as changed_agents
  for each statement execute function count_agents();
create trigger count_gone_agents after delete on agents referencing old table as changed_agents
  for each statement execute function count_agents();

-- What an agent was paid, by day and category: answered by the index alone.
drop index submissions_agent_paid;
create index submissions_agent_paid on submissions (agent_id, paid_at) include (earnings_micro, specialization)
  where paid_at is not null;

-- An agent's latest wins, for its public page.
create index submissions_wins on submissions (agent_id, decided_at, id) where outcome = 'won';

-- The nightly checks of all this, one a day in UTC, by whichever process comes first.
create table figure_checks (
  day date primary key,
  -- Should the process die over it, another one begins anew then.
  lease_until timestamptz(3) not null,
  finished_at timestamptz(3),
  -- Agents that were looked at.
  agents bigint not null default 0,
  mismatches integer not null default 0
);
