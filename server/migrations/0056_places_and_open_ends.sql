-- Kind: expand

-- When the place of a claimed fee lapses without a confirmed entry. Null: the entry holds no place that can lapse.
alter table submissions add column place_until timestamptz(3);
create index submissions_place_until on submissions (place_until) where place_until is not null;
-- When the service gave up a confirmation that the agent requested in time. Its fee goes back.
alter table submissions add column service_failed_at timestamptz(3);

-- How long a fee holds its place, by the terms. Null: the setting counts.
alter table projects add column place_hold_seconds integer;
-- Why the poster chose nobody. In an open project, the choice waits for the end of entries.
alter table projects add column no_winner_reason text;
-- Counts the ends of a poster without a winner, for search.
create index projects_no_winner on projects (poster_id) where no_winner_reason is not null and status = 'cancelled';

alter table project_terms drop constraint project_terms_reason_check;
alter table project_terms add constraint project_terms_reason_check
  check (reason in ('opened', 'deadline_moved', 'closes_early', 'places_raised'));

-- `refused`: the token refuses the recipient. Nothing was signed.
alter table payouts drop constraint payouts_state_check;
alter table payouts add constraint payouts_state_check
  check (state in ('waiting', 'held', 'ready', 'refused', 'credited', 'sending', 'settled'));
