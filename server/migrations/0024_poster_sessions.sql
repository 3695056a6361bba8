-- Posters who sign in with a wallet, and the sessions of their browsers.

alter table posters
  -- The wallet that signs in, lower case; null for a poster who has only keys.
  add column wallet_address text check (wallet_address ~ '^0x[0-9a-f]{40}$');
create unique index posters_wallet on posters (wallet_address);

-- What a wallet signs to sign in (EIP-4361); deleted when it is used. Anybody can ask for one for any address.
create table sign_in_challenges (
  nonce text primary key,
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  message text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index sign_in_challenges_expiry on sign_in_challenges (expires_at);

-- Deleted when it is ended; one that is over is cleared away by a later sign-in.
create table poster_sessions (
  id text primary key,
  poster_id uuid not null references posters (id),
  -- The key that it was begun with, and ends with; null for one begun with the wallet.
  key_id text references poster_keys (id),
  -- Of what the cookie holds.
  secret_hash bytea not null,
  created_at timestamptz(3) not null,
  -- Moved on by use, up to a bound that created_at sets.
  expires_at timestamptz(3) not null
);
create index poster_sessions_poster on poster_sessions (poster_id, created_at);
create index poster_sessions_expiry on poster_sessions (expires_at);
