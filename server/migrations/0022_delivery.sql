-- What the delivery of the work, its licence, and its terms need. Shared columns; the files after this one fill them.

-- Null: the project was opened before licences existed, and states none.
alter table projects add column licence text check (licence in ('assignment', 'exclusive', 'CC-BY-4.0', 'CC0-1.0'));
update projects set licence = 'assignment' where status = 'draft';

-- Which entries the public sees after the project has completed.
alter table projects add column gallery text not null default 'public'
  check (gallery in ('public', 'winner_only', 'private'));

-- The current version of the canonical terms, and its hash (`sha256:` and hex). Null in drafts, and in projects that were
-- opened before canonical terms existed.
alter table projects add column terms_version integer check (terms_version >= 1);
alter table projects add column terms_hash text;
alter table projects add constraint projects_terms_hashed check ((terms_version is null) = (terms_hash is null));

-- An entry consists of 1 to item_count files. Each item has at most one current file. A picture from before is item 1.
alter table media_files add column item smallint not null default 1 check (item between 1 and 20);
drop index media_files_current;
create unique index media_files_current on media_files (submission_id, item) where status in ('pending', 'completed');
