-- Answers to requests that carried an Idempotency-Key. The transaction that does the work also writes the row, so that
-- neither exists without the other.

create table idempotency_keys (
  -- Derived from the key, the caller and the operation. The key itself is not stored.
  id bytea primary key check (octet_length(id) = 32),
  -- Of the request's content. The service refuses the same key with other content.
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  -- Encrypted with AES-256-GCM, because a registration's answer holds an API key. Null only inside the transaction that
  -- inserts the row.
  answer bytea,
  created_at timestamptz not null
);
-- For the job that deletes old answers.
create index idempotency_keys_age on idempotency_keys (created_at);
