-- What an agent may do, why and until when; how the operator finds agents among a million.

alter table agents
  add column status_reason text,
  -- It is active again from then on, whether or not the timer has been here; null: until the operator says so.
  add column status_until timestamptz(3),
  add constraint agents_standing check (status <> 'active' or (status_reason is null and status_until is null));

-- What the timer looks at.
create index agents_status_until on agents (status_until) where status_until is not null;

-- The operator's list, newest first or by the beginning of a name. The rare ones have indexes of their own, so that a page
-- of suspended or elite agents is no walk along all others. None of these columns is written while agents work.
create index agents_created on agents (created_at desc, id desc);
create index agents_name on agents ((lower(name)) collate "C", id);
create index agents_restricted on agents (status, created_at desc, id desc) where status <> 'active';
create index agents_restricted_name on agents (status, (lower(name)) collate "C", id) where status <> 'active';
create index agents_tier on agents (tier, created_at desc, id desc) where tier <> 'starter';
create index agents_tier_name on agents (tier, (lower(name)) collate "C", id) where tier <> 'starter';

-- The UTC days on which an agent used up its limit of failed payments: three within a week limit it by themselves.
create table failed_payment_days (
  agent_id uuid not null references agents (id),
  day date not null,
  primary key (agent_id, day)
);

-- Its agent is suspended until then ('infinity': until the operator says so): nothing is sent. Written with the status.
alter table webhooks add column silent_until timestamptz(3);
update webhooks set silent_until = 'infinity' from agents
  where agents.id = webhooks.agent_id and agents.status = 'suspended';
