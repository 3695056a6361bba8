-- Webhooks: one subscription for each agent, an outbox of events, a cursor for each part of a fan-out, the retries, and the
-- attempts made.

create table webhooks (
  -- The subscription. A fan-out reads subscriptions in this order.
  id uuid primary key,
  agent_id uuid not null unique references agents (id),
  url text not null,
  -- 32 bytes under AES-256-GCM. The key comes from outside the database, and the row's id is authenticated data.
  secret bytea not null,
  -- After a rotation, deliveries carry a second signature by the previous secret until previous_until.
  previous_secret bytea,
  previous_until timestamptz(3),
  -- The part of a fan-out that reaches it: 0 elite, 1 pro, 2 to 9 starter (spread by id). It follows the agent's tier.
  shard smallint not null check (shard between 0 and 9),
  -- The filter from the agent's settings; null if the agent sets none. Copied here because a fan-out reads this table
  -- only.
  wanted_min_micro bigint,
  wanted_max_micro bigint,
  -- Empty: any category.
  wanted_categories text[],
  status text not null default 'active' check (status in ('active', 'disabled')),
  disabled_reason text,
  -- Nothing is sent before this time, because the agent is suspended. 'infinity': until the operator ends the suspension.
  -- Written together with the agent's status.
  silent_until timestamptz(3),
  -- All attempts since this time failed. Null after a success.
  failing_since timestamptz(3),
  -- The endpoint answers slowly: 1 s on average, or the last attempt timed out. It gets its own lane.
  slow boolean not null default false,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check ((previous_secret is null) = (previous_until is null)),
  check ((status = 'disabled') = (disabled_reason is not null)),
  constraint webhooks_wanted check (num_nulls(wanted_min_micro, wanted_max_micro, wanted_categories) in (0, 3))
) with (fillfactor = 85);

-- The outbox. The transaction that opens a project writes its event.
create table webhook_events (
  -- The `webhook-id` of every delivery of this event.
  id uuid primary key,
  kind text not null check (kind in ('PROJECT.OPEN', 'TEST')),
  project_id uuid,
  -- The request body, serialized once for all subscribers. Signatures differ by subscriber and are not part of it.
  body text not null,
  created_at timestamptz(3) not null
);

-- How far an event has come in each shard. A batch is one update, so a fan-out writes no row per subscriber.
create table webhook_fan_outs (
  event_id uuid not null references webhook_events (id),
  shard smallint not null,
  -- Elite agents get the event when the project opens, other agents when its early access ends.
  due_at timestamptz(3) not null,
  -- The last subscription read. Null before the first.
  after uuid,
  attempted integer not null default 0,
  lease_until timestamptz(3),
  -- Names the holder of the lease, so that a worker whose lease ended cannot write.
  token uuid,
  done_at timestamptz(3),
  primary key (event_id, shard)
);

-- Deliveries outside the fan-out: to retry, to a slow endpoint, or given up. One row for each event and subscription.
create table webhook_retries (
  event_id uuid not null,
  webhook_id uuid not null,
  -- The day of the event. A job drops old partitions, which is cheaper than deleting rows.
  day date not null,
  retries smallint not null default 0,
  lane text not null check (lane in ('retry', 'slow')),
  priority smallint not null,
  due_at timestamptz(3),
  lease_until timestamptz(3),
  token uuid,
  -- No attempts are left, or the subscription ended. The agent can replay the delivery.
  dead_at timestamptz(3),
  delivered_at timestamptz(3),
  primary key (day, event_id, webhook_id)
) partition by range (day);
comment on column webhook_retries.retries is
  'Back-off retries that were made; -2: nothing was attempted yet, -1: the immediate retry of the first attempt comes next.';

create table webhook_attempts (
  event_id uuid not null,
  webhook_id uuid not null,
  at timestamptz(3) not null,
  -- 1 is the first attempt, 2 its immediate retry.
  number smallint not null,
  outcome text not null check (outcome in ('delivered', 'failed')),
  -- status, content_type, redirect, timeout, tls, connection, refused_address, dns, too_large
  failure text,
  status smallint,
  latency_ms integer not null,
  -- The first KB of the answer.
  answer text
) partition by range (at);

-- For a fan-out's batches: an index-only scan in the order of the ids.
create index webhooks_fan_out on webhooks (shard, id) where status = 'active';
-- For the job that deletes events as old as the oldest attempts.
create index webhook_events_created on webhook_events (created_at);
create index webhook_fan_outs_due on webhook_fan_outs (shard, due_at, event_id) where done_at is null;
create index webhook_retries_due on webhook_retries (lane, priority, due_at) where due_at is not null;
create index webhook_retries_webhook on webhook_retries (webhook_id, event_id);
-- The endpoints that a process sends to right now. Fan-outs and the lanes of other processes skip them.
create index webhook_retries_leased on webhook_retries (webhook_id) where lease_until is not null;
-- The deliveries that the sender gave up, for the operator.
create index webhook_retries_dead on webhook_retries (dead_at) where dead_at is not null;
-- An agent's list of deliveries, newest first.
create index webhook_attempts_webhook on webhook_attempts (webhook_id, at desc, event_id);

create function project_categories(specialization_ids text[]) returns text[] language sql stable as $$
  select coalesce(array_agg(distinct category), '{}') from specializations where id = any(specialization_ids)
$$;

-- Whether a filter lets an event pass. An event without a project (prize_micro is null) always passes.
create function event_wanted(min_micro bigint, max_micro bigint, wanted text[], prize_micro bigint, categories text[])
returns boolean language sql immutable as $$
  select min_micro is null or prize_micro is null
    or (prize_micro between min_micro and max_micro and (wanted = '{}' or wanted && categories))
$$;

-- Creates the daily partitions of both tables. A job calls it ahead of time.
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

-- The first days, until the job runs. The default partitions take rows of any other day, so that no insert fails.
select webhook_partitions((now() at time zone 'UTC')::date - 1, 5);
create table webhook_retries_other partition of webhook_retries default;
create table webhook_attempts_other partition of webhook_attempts default;
