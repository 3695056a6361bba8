-- Kind: expand

-- Browser sessions of operators.

create table operator_sessions (
  id text primary key,
  -- The named operator; the end of its key ends the session. Null for OPERATOR_KEY.
  operator_id uuid references operators (id),
  -- For OPERATOR_KEY: SHA-256 of the session's id and the key, so that another setting ends the session.
  shared_key_hash bytea,
  -- The hash of the secret in the cookie.
  secret_hash bytea not null,
  created_at timestamptz(3) not null,
  -- Use by a person extends it, up to a limit counted from created_at.
  expires_at timestamptz(3) not null,
  check ((operator_id is null) <> (shared_key_hash is null))
);

create index operator_sessions_operator on operator_sessions (operator_id, created_at);
create index operator_sessions_expiry on operator_sessions (expires_at);
