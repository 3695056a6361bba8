-- Kind: expand, concurrently

-- A poster's projects in the order of their urgency, for the first page of its console.
create index concurrently if not exists projects_urgency on projects (poster_id,
  project_urgency(status, (awarded_at is not null or held_at is not null), coalesce(closes_at, auto_select_deadline),
    coalesce(judging_ends_at, created_at), created_at), id);
