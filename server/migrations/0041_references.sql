-- Kind: expand

-- The pictures that posters attach to their briefs. A duplicate of a brief shares the pictures of its source, so a picture and
-- its use are two rows. A use is made by an upload, or copied from a use that exists: after its last use, a picture is gone.

create table reference_pictures (
  id uuid primary key,
  file_name text not null,
  content_type text not null,
  size_bytes integer not null,
  created_at timestamptz(3) not null,
  -- Until then, the upload URL can write its object.
  expires_at timestamptz(3) not null,
  -- The upload was removed: the URL has expired, and the inspected bytes are kept elsewhere.
  upload_removed boolean not null default false,
  -- Until then, one process inspects the picture.
  inspect_until timestamptz(3),
  -- The findings of the inspection.
  width integer,
  height integer,
  sha256 bytea check (length(sha256) = 32),
  confirmed_at timestamptz(3),
  check ((confirmed_at is null) = (sha256 is null) and (sha256 is null) = (width is null) and (width is null) = (height is null))
);
create index reference_pictures_upload on reference_pictures (expires_at, id) where not upload_removed;

create table project_references (
  id bigint generated always as identity primary key,
  picture_id uuid not null references reference_pictures (id),
  -- Null: the poster removed it, or deleted the draft. A job then removes the picture.
  project_id uuid references projects (id) on delete set null,
  poster_id uuid not null references posters (id),
  created_at timestamptz(3) not null,
  -- The project has opened.
  frozen boolean not null default false,
  unique (project_id, picture_id)
);
create index project_references_picture on project_references (picture_id);
create index project_references_unused on project_references (id) where project_id is null;
create index project_references_drafts on project_references (created_at) where not frozen;
create index project_references_poster on project_references (poster_id) where not frozen;
