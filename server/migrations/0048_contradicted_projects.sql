-- Kind: expand

-- Projects whose money left on chain for another end than the database has. A recovery finds them. The service sends none of
-- their payouts until the operator releases it.
create table contradicted_projects (
  project_id uuid primary key,
  -- The first transfer that contradicts the project.
  tx_hash text not null check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  log_index integer not null,
  amount_micro bigint not null check (amount_micro > 0),
  found_at timestamptz(3) not null
);
