-- Copies in full size of pictures that were confirmed before previews existed. A job removes their objects, then the rows.
create table old_copies (
  media_file_id uuid primary key
);

insert into old_copies select id from media_files where status = 'completed';
