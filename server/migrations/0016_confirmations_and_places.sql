-- Confirmations that count from their request, and places in projects.

alter table media_files
  -- When the agent asked to confirm this file: the deadline, the grace period, and ties use this time. Set while the file
  -- waits for its inspection, and kept with the result. Null again when the request ended without a result.
  add column confirm_requested_at timestamptz(3),
  -- Until then, only the process that took this lease inspects the file.
  add column inspection_lease_until timestamptz(3),
  -- The service answered CONFIRMATION_PENDING, or no request waits any more: the same request returns the result later.
  add column confirm_result_due boolean not null default false,
  add column refused_reason text;

-- The files that wait for their inspection: few at any time.
create index media_files_inspecting on media_files (confirm_requested_at)
  where status = 'pending' and confirm_requested_at is not null;

-- A place is an entry fee that was claimed and has not failed, and in a free project a confirmed entry.
update projects set places_taken = claimed.places
from (
  select s.project_id, count(*) as places
  from submissions s join payments p on p.kind = 'entry_fee' and p.subject_id = s.id
  where p.state in ('settling', 'settled') and not p.late
  group by s.project_id
) claimed
where projects.id = claimed.project_id and projects.entry_fee_micro > 0;
update projects set places_taken = total_submissions where entry_fee_micro = 0 and total_submissions > 0;
