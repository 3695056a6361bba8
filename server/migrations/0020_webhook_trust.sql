-- A webhook endpoint is trusted after its first success. Until then it gets one event at a time, and the others wait.

alter table webhooks
  -- The host name of the URL, as a URL parser writes it: one host has one spelling.
  add column host text not null default '',
  -- The first success at this URL. Null: nothing was accepted yet.
  add column verified_at timestamptz(3),
  -- When the sender looks for the next waiting event of this endpoint. Null: none waits.
  add column trial_at timestamptz(3);

-- Events of a past delivery prove that the receiver wants them, if the URL has not changed since.
update webhooks w set
  host = lower(rtrim(coalesce(substring(url from '^https?://(\[[^\]]*\]|[^/:?#]*)'), ''), '.')),
  verified_at = case when exists (
    select 1 from webhook_attempts a
    where a.webhook_id = w.id and a.at >= w.updated_at and a.outcome = 'delivered') then now() end;
update webhooks set trial_at = now() where verified_at is null and exists (
  select 1 from webhook_retries r where r.webhook_id = webhooks.id and r.due_at is not null);

-- The count of a host's unverified endpoints.
create index webhooks_unverified on webhooks (host) where verified_at is null and status = 'active';
create index webhooks_trial on webhooks (trial_at) where trial_at is not null;

-- The end of early access, which is the `created_at` of the project for all but elite agents. Null in older events.
alter table webhook_events add column visible_at timestamptz(3);

-- A delivery without any of the three dates waits for the first success of its endpoint.
comment on column webhook_retries.due_at is
  'The next attempt. Null without dead_at and delivered_at: waits for the first success of the endpoint.';
-- The agent asked for it, so it is sent although its project has ended.
alter table webhook_retries add column replayed boolean not null default false;
update webhook_retries set due_at = null, lease_until = null, token = null
where due_at is not null and webhook_id in (select id from webhooks where verified_at is null);
-- The deliveries of an endpoint that have not ended, oldest first.
create index webhook_retries_open on webhook_retries (webhook_id, event_id) where dead_at is null and delivered_at is null;
