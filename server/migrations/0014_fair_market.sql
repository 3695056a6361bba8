-- The columns of a project that the rules of a fair market share.

-- `terms` says which rules a project was opened under, so that a change of the rules never changes an open project.
--   1: no latest deadline; closing early has no notice; without a choice, all entries share the prize.
--   2: the rules of docs/posters.md and docs/agents.md.
alter table projects add column terms smallint not null default 1 check (terms in (1, 2));
alter table projects alter column terms set default 2;
update projects set terms = 2 where status = 'draft';

alter table projects
  -- Fixed when the project opens. No deadline may be later. Null under terms 1, and in drafts.
  add column latest_deadline timestamptz(3),
  -- When the one extension after the first paid or confirmed entry was used.
  add column extended_at timestamptz(3),
  -- When the poster asked to close early, and from when no entry can be confirmed.
  add column close_requested_at timestamptz(3),
  add column closes_at timestamptz(3),
  add column cancelled_at timestamptz(3),
  add column cancelled_by text check (cancelled_by in ('poster', 'operator', 'timer')),
  -- Null: any number of entries.
  add column max_entries integer check (max_entries between 2 and 10000),
  -- Entries whose fee was claimed, and confirmed entries of free projects.
  add column places_taken integer not null default 0 check (places_taken >= 0);

alter table projects drop constraint if exists projects_selection_check;
alter table projects add constraint projects_selection_check
  check (selection in ('poster', 'scores', 'ai', 'split', 'silence', 'operator', 'shared'));
