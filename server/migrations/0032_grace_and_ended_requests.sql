-- The grace period in seconds that the project's terms name. It is fixed when the project opens. Every lock of the
-- project reads it, so it has a column beside the terms. Null: the project opened before terms named it, and follows the
-- setting CONFIRM_GRACE_SECONDS.
alter table projects add column confirm_grace_seconds integer check (confirm_grace_seconds >= 0);

-- The request that ended without an entry although this file was there. A process that joined the request reads from it
-- which items it lacked.
alter table media_files add column confirm_ended_at timestamptz(3);
