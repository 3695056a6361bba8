-- What was answered to requests with an Idempotency-Key. A row is written in the transaction that did the work and told
-- of it, so that there is no row without the work, and no work of such a request without its row.
create table idempotency_keys (
  -- Derived from the key, who sent it and for what; the key itself is nowhere.
  id bytea primary key check (octet_length(id) = 32),
  -- Of what was asked for: the same key with something else is refused.
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  -- Under AES-256-GCM: a registration's holds an API key. Null only within the transaction that makes the row.
  answer bytea,
  created_at timestamptz not null
);
create index idempotency_keys_age on idempotency_keys (created_at);
