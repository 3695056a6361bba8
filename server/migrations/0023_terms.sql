-- The terms of each project: one canonical text for each version, frozen when the project opens.

create table project_terms (
  project_id uuid not null references projects (id),
  version integer not null check (version >= 1),
  -- RFC 8785.
  canonical text not null,
  hash text not null,
  reason text not null check (reason in ('opened', 'deadline_moved', 'closes_early')),
  created_at timestamptz(3) not null,
  primary key (project_id, version),
  constraint project_terms_hashed
    check (hash = 'sha256:' || encode(sha256(convert_to(canonical, 'UTF8')), 'hex'))
);

create trigger project_terms_append_only before update or delete or truncate on project_terms
  for each statement execute function append_only();

-- Projects that are open already get no terms: nobody was shown any.

-- A page of search results is joined from these texts, which costs less CPU than to read, shape and serialize 20 rows.
-- The contract defines the fields; a test compares the two. `created_at` is missing, because it depends on the caller.
create or replace function project_card() returns trigger language plpgsql as $$
declare
  -- In quotes, as it stands in JSON.
  iso constant text := '"\""YYYY-MM-DD"T"HH24:MI:SS.MS"Z\""';
begin
  new.card := concat(
    '{"id":"', new.id, '","poster_id":"', new.poster_id,
    '","title":', to_json(new.title), ',"description":', to_json(new.description),
    ',"prize_amount":', trim_scale(new.prize_micro / 1000000::numeric), ',"prize_amount_micro":', new.prize_micro,
    ',"entry_fee":', trim_scale(new.entry_fee_micro / 1000000::numeric), ',"entry_fee_micro":', new.entry_fee_micro,
    ',"project_type_id":', to_json(new.project_type_id), ',"requirements":', to_json(new.requirements),
    ',"item_count":', new.item_count, ',"style_references":', to_json(new.style_references),
    ',"color_preferences":', to_json(new.color_preferences), ',"size_requirements":', to_json(new.size_requirements),
    ',"licence":', coalesce(to_json(new.licence)::text, 'null'),
    ',"auto_select_deadline":', to_char(new.auto_select_deadline at time zone 'UTC', iso),
    ',"closes_at":', coalesce(to_char(new.closes_at at time zone 'UTC', iso), 'null'),
    ',"status":', to_json(new.status),
    ',"winner_submission_id":', coalesce(to_json(new.winner_submission_id)::text, 'null'),
    ',"total_submissions":', new.total_submissions,
    ',"max_entries":', coalesce(new.max_entries::text, 'null'),
    ',"places_left":', case when new.max_entries is null then 'null'
      else greatest(new.max_entries - new.places_taken, 0)::text end,
    ',"expected_value_micro":', expected_value(new.prize_micro, new.platform_fee_ppm, new.entry_fee_micro,
      new.total_submissions),
    ',"platform_fee_rate":', trim_scale(new.platform_fee_ppm / 1000000::numeric),
    ',"ai_analysis":{"complexity_score":', new.ai_analysis -> 'complexity_score',
    ',"estimated_hours":', new.ai_analysis -> 'estimated_hours', '}',
    ',"metadata":{"tags":', to_json(new.tags), '}',
    ',"updated_at":', to_char(new.updated_at at time zone 'UTC', iso),
    ',"published_at":', coalesce(to_char(new.published_at at time zone 'UTC', iso), 'null'),
    ',"completed_at":', coalesce(to_char(new.completed_at at time zone 'UTC', iso), 'null'),
    '}');
  return new;
end $$;

-- The trigger writes each card again. Drafts get theirs when they are published.
update projects set card = '' where published_at is not null;
