-- What both sides can prove later: the terms of a payment, and the terms of service that a registration showed.

-- The terms that the payer of an entry fee agreed to (`sha256:` and hex). A later version of the project's terms does not
-- change it, so a repeated receipt is equal to the first.
alter table payments add column terms_hash text;

-- The setting TERMS_VERSION at the registration. Null: the service stated no terms, or the registration is older.
alter table agents add column terms_version text;
alter table posters add column terms_version text;
