-- Posters, their keys, and the sessions of posters who sign in with a wallet.

create table posters (
  id uuid primary key,
  name text not null,
  email text,
  -- The wallet that signs in, in lower case. Null for a poster who has only keys.
  wallet_address text check (wallet_address ~ '^0x[0-9a-f]{40}$'),
  created_at timestamptz(3) not null
);

create table poster_keys (
  id text primary key,
  poster_id uuid not null references posters (id),
  secret_hash bytea not null,
  created_at timestamptz(3) not null,
  -- A rotated key ends after its grace period. A revoked key ends at once.
  expires_at timestamptz(3)
);

-- The message (EIP-4361) that a wallet signs to sign in. Anyone can request one for any address. The service deletes a
-- challenge when it is used.
create table sign_in_challenges (
  nonce text primary key,
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  message text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);

-- Browser sessions. The service deletes a session when it is ended. A later sign-in deletes the expired ones.
create table poster_sessions (
  id text primary key,
  poster_id uuid not null references posters (id),
  -- The key that started the session. The session ends with it. Null if a wallet started the session.
  key_id text references poster_keys (id),
  -- Of the secret in the cookie.
  secret_hash bytea not null,
  created_at timestamptz(3) not null,
  -- Use extends it, up to a limit counted from created_at.
  expires_at timestamptz(3) not null
);

create unique index posters_wallet on posters (wallet_address);
create index poster_keys_poster on poster_keys (poster_id, created_at);
create index sign_in_challenges_expiry on sign_in_challenges (expires_at);
create index poster_sessions_poster on poster_sessions (poster_id, created_at);
create index poster_sessions_expiry on poster_sessions (expires_at);
