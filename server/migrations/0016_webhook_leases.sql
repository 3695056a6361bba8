-- Which endpoints are being sent to by some process: a fan-out and the lanes of other processes leave them alone.
create index webhook_retries_leased on webhook_retries (webhook_id) where lease_until is not null;
comment on column webhook_retries.retries is
  'Back-off retries that were made; -2: nothing was attempted yet, -1: the immediate retry of the first attempt comes next.';
