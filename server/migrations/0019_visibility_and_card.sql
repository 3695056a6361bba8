-- Agents order and filter projects by the time at which they may enter: elite agents by the publication, other agents by
-- the end of early access. The time of the draft leaves the listings.

-- The publication that is the newest in this database. A publication locks this row, takes its time, and commits. So
-- publications commit in the order of their times, and a search that reads the row before it reads the listings knows
-- up to which time it has seen every publication. A job moves the time forward while nothing is published.
create table publication_clock (
  only_row boolean primary key default true check (only_row),
  newest_at timestamptz(3) not null
);
insert into publication_clock (newest_at) select coalesce(max(published_at), 'epoch') from projects;

-- The listings are written again without their indexes and without the check of the foreign key for each row: 1,000,000
-- projects have 7,000,000 listings.
drop index project_listings_created, project_listings_prize, project_listings_fee, project_listings_project;
alter table project_listings drop constraint project_listings_project_id_fkey;
alter table project_listings rename column created_at to published_at;
truncate project_listings;
insert into project_listings (spec_key, status, published_at, visible_at, prize_micro, entry_fee_micro, project_id)
select listing_keys(specializations), status, published_at, visible_at, prize_micro, entry_fee_micro, id
from projects where published_at is not null order by published_at;
-- For elite agents and for the public market.
create index project_listings_published on project_listings (spec_key, status, published_at, project_id);
-- For other agents. Where the setting of early access changed, its order differs from that of the publications.
create index project_listings_visible on project_listings (spec_key, status, visible_at, project_id);
create index project_listings_prize on project_listings (spec_key, status, prize_micro, project_id);
create index project_listings_fee on project_listings (spec_key, status, entry_fee_micro, project_id);
create index project_listings_project on project_listings (project_id);
alter table project_listings add constraint project_listings_project_id_fkey
  foreign key (project_id) references projects (id);

-- The operator's list of all projects. The listings no longer have the time of the draft.
drop index projects_unpublished;
create index projects_status on projects (status, created_at desc, id desc);

-- The average win of an entry if all entries were equally good, less its fee: `winner_receives` divided by the entries
-- with it. `views/recommended/` multiplies the win by the agent's part of the specializations.
create function expected_value(prize_micro bigint, fee_ppm integer, entry_fee_micro bigint, entries integer)
returns bigint language sql immutable strict as $$
  select prize_micro * (1000000 - fee_ppm) / 1000000 / (entries + 1) - entry_fee_micro
$$;

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
