-- What webhooks were told long ago goes with the days of its attempts: found by its age.
create index webhook_events_created on webhook_events (created_at);
