-- Webhooks: one subscription an agent, an outbox of events, a cursor per part of a fan-out, retries, and what was attempted.

create table webhooks (
  -- The subscription; a fan-out reads along it.
  id uuid primary key,
  agent_id uuid not null unique references agents (id),
  url text not null,
  -- 32 bytes under AES-256-GCM, with a key from outside the database and this row's id bound in.
  secret bytea not null,
  -- The replaced one signs beside it until then.
  previous_secret bytea,
  previous_until timestamptz(3),
  -- Which part of a fan-out reaches it: 0 elite, 1 pro, 2 to 9 starters, spread by id. Moves with the agent's tier.
  shard smallint not null check (shard between 0 and 9),
  status text not null default 'active' check (status in ('active', 'disabled')),
  disabled_reason text,
  -- Since when there was nothing but failures; null after a success.
  failing_since timestamptz(3),
  -- Its answers take long (mean over 1 s, or the last one timed out): attempts have a lane of their own.
  slow boolean not null default false,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check ((previous_secret is null) = (previous_until is null)),
  check ((status = 'disabled') = (disabled_reason is not null))
) with (fillfactor = 85);
-- A fan-out's batches: in key order, an index-only step to the next.
create index webhooks_fan_out on webhooks (shard, id) where status = 'active';

-- Written in the transaction that opens the project.
create table webhook_events (
  -- `webhook-id` of every delivery of it.
  id uuid primary key,
  kind text not null check (kind in ('PROJECT.OPEN', 'TEST')),
  project_id uuid references projects (id),
  -- The body without its signature, as it is serialised once for everybody.
  body text not null,
  created_at timestamptz(3) not null
);

-- How far an event has got along a shard. One update a batch, no row per subscriber.
create table webhook_fan_outs (
  event_id uuid not null references webhook_events (id),
  shard smallint not null,
  -- Elite agents hear of it when it opens, the others when its early access ends.
  due_at timestamptz(3) not null,
  -- The last subscription that was read; null before the first.
  after uuid,
  attempted integer not null default 0,
  lease_until timestamptz(3),
  -- Of whoever holds the lease: a stale worker can not write.
  token uuid,
  done_at timestamptz(3),
  primary key (event_id, shard)
);
create index webhook_fan_outs_due on webhook_fan_outs (shard, due_at, event_id) where done_at is null;

-- What failed and is tried again, what is slow, and what is dead: (event, subscription) once.
create table webhook_retries (
  event_id uuid not null,
  webhook_id uuid not null,
  -- The day of its event: partitions are dropped, rows are not deleted in bulk.
  day date not null,
  -- Back-off retries that were made; the first attempt and its immediate retry are none.
  retries smallint not null default 0,
  lane text not null check (lane in ('retry', 'slow')),
  priority smallint not null,
  due_at timestamptz(3),
  lease_until timestamptz(3),
  token uuid,
  -- No attempt is left, or the subscription ended: it can be replayed.
  dead_at timestamptz(3),
  delivered_at timestamptz(3),
  primary key (day, event_id, webhook_id)
) partition by range (day);
create index webhook_retries_due on webhook_retries (lane, priority, due_at) where due_at is not null;
create index webhook_retries_webhook on webhook_retries (webhook_id, event_id);

create table webhook_attempts (
  event_id uuid not null,
  webhook_id uuid not null,
  at timestamptz(3) not null,
  -- 1 for the first; the immediate retry is 2.
  number smallint not null,
  outcome text not null check (outcome in ('delivered', 'failed')),
  -- What kind of failure: status, content_type, redirect, timeout, tls, connection, refused_address, dns, too_large.
  failure text,
  status smallint,
  latency_ms integer not null,
  -- The first KB of the answer.
  answer text
) partition by range (at);
-- The agent's list of deliveries, newest first.
create index webhook_attempts_webhook on webhook_attempts (webhook_id, at desc, event_id);

-- A day's partitions of both; made ahead by a job, and here for the first days.
create function webhook_partitions(from_day date, days integer) returns void language plpgsql as $$
declare
  d date;
begin
  for d in select generate_series(from_day, from_day + days - 1, interval '1 day')::date loop
    execute format('create table if not exists webhook_retries_%s partition of webhook_retries for values from (%L) to (%L)',
      to_char(d, 'YYYYMMDD'), d, d + 1);
    execute format('create table if not exists webhook_attempts_%s partition of webhook_attempts for values from (%L) to (%L)',
      to_char(d, 'YYYYMMDD'), d::timestamp at time zone 'UTC', (d + 1)::timestamp at time zone 'UTC');
  end loop;
end $$;
select webhook_partitions((now() at time zone 'UTC')::date - 1, 5);
-- Whatever day it is: nothing is refused for want of a partition.
create table webhook_retries_other partition of webhook_retries default;
create table webhook_attempts_other partition of webhook_attempts default;
