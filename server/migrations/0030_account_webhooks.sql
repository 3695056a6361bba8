-- Further webhook endpoints of agents and posters, which get the events of the log. The specified subscription of an agent
-- stays the only row with this agent_id; for the others, agent_id is null.

alter table webhooks
  alter column agent_id drop not null,
  -- Null: no fan-out reaches it.
  alter column shard drop not null,
  add column account_kind text check (account_kind in ('agent', 'poster')),
  add column account_id uuid,
  -- The event types that the endpoint gets.
  add column types text[],
  -- Its agent is elite, and gets the market's events before others.
  add column elite boolean not null default false,
  add constraint webhooks_account check (
    case when account_kind is null then agent_id is not null and shard is not null and account_id is null and types is null
      else agent_id is null and shard is null and account_id is not null and types is not null end);
-- The endpoints of an account; without an account: those that want a type of the market.
create index webhooks_of_account on webhooks (account_kind, account_id) where account_kind is not null;

-- The body of a delivery is in the event log, in this stream. Null: it is in webhook_events.
alter table webhook_retries add column stream text;
