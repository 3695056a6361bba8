-- Kind: expand

-- The requests of the last hour to webhook endpoints that have never succeeded: of events and of tests, by all processes.
-- They bound what an endpoint and a host get, also after the endpoint was deleted or has moved to another host.

create table webhook_trial_requests (
  id uuid primary key,
  -- The endpoint may be gone by now.
  webhook_id uuid not null,
  host text not null,
  -- The /24 or /48 of the host. Null: it was not found.
  network text,
  started_at timestamptz(3) not null,
  -- Null: under way, or its process was killed.
  ended_at timestamptz(3)
);

create index webhook_trial_requests_host on webhook_trial_requests (host, started_at);
create index webhook_trial_requests_old on webhook_trial_requests (started_at);
create index webhook_trial_requests_network on webhook_trial_requests (network) where ended_at is null;

-- The version before recorded them as attempts only.
insert into webhook_trial_requests (id, webhook_id, host, started_at, ended_at)
select gen_random_uuid(), w.id, w.host, a.at, a.at
from webhooks w join webhook_attempts a on a.webhook_id = w.id
where w.verified_at is null and a.outcome = 'failed' and a.at > now() - interval '1 hour';
