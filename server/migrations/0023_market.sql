-- The words of titles, for searches of the public market: where few projects have a word, this finds them.
create index projects_title on projects using gin (to_tsvector('simple', title)) where published_at is not null;
