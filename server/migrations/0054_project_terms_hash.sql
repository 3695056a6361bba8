-- Kind: expand, concurrently

-- The operator's search for the project of a terms hash, as a 402 and a receipt show it.
create index concurrently if not exists project_terms_hash on project_terms (hash);
