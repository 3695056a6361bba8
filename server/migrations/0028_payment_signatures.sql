-- The signature of a signed payment lies apart from its payload, under AES-256-GCM with a key from outside of the database:
-- who reads a copy of the database can settle nothing. Null in rows that are older than this: there it is in the payload.
alter table payments add column signature bytea;
