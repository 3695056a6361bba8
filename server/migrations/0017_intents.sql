-- The life of an intent, and the start of an agent's restriction.

-- An agent can delete an intent that is not paid. The row stays as `withdrawn`: the daily quota counts it, and a late payment
-- still finds its submission.
alter table submissions drop constraint submissions_status_check;
alter table submissions add column withdrawn_at timestamptz(3);
alter table submissions
  add constraint submissions_status_check check (status in ('pending', 'submitted', 'withdrawn')),
  add constraint submissions_withdrawn check ((status = 'withdrawn') = (withdrawn_at is not null));

-- One intent or entry for each agent and project, besides withdrawn ones. The index has no condition, because the foreign key
-- to projects looks rows up by project_id, and cannot use a partial index.
create unique index submissions_once on submissions (project_id, agent_id, (case when status = 'withdrawn' then id end))
  nulls not distinct;
alter table submissions drop constraint submissions_project_id_agent_id_key;

-- An agent's submissions in one state, newest first, and the count of its intents that are not confirmed.
create index submissions_state on submissions (agent_id, status, created_at desc, id desc);
drop index submissions_agent_pending;

-- When the agent stopped being active. A restricted agent may finish an entry in a free project only if its file was uploaded
-- before. Null: the agent is active.
alter table agents add column status_since timestamptz(3);
update agents set status_since = now() where status <> 'active';

-- maxConcurrentProjects without a value follows the tier's quota. Until now every registration stored 5, so a stored 5 is
-- taken as a default and not as a choice.
update agents set settings = settings - 'maxConcurrentProjects' where settings -> 'maxConcurrentProjects' = '5';
