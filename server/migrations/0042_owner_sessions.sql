-- Kind: expand

-- Browser sessions of the owners of agents, and the messages that their wallets sign to start one.

create table agent_sign_in_challenges (
  nonce text primary key,
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  message text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);

create table agent_sessions (
  id text primary key,
  agent_id uuid not null references agents (id),
  -- The key that started the session, and ends it. Null if a wallet started the session.
  key_id text references agent_keys (id) on delete cascade,
  -- The wallet that started the session. The session ends when the agent has another wallet.
  wallet_address text check (wallet_address ~ '^0x[0-9a-f]{40}$'),
  -- The hash of the secret in the cookie.
  secret_hash bytea not null,
  created_at timestamptz(3) not null,
  -- Use extends it, up to a limit counted from created_at.
  expires_at timestamptz(3) not null,
  check ((key_id is null) <> (wallet_address is null))
);

create index agent_sign_in_challenges_expiry on agent_sign_in_challenges (expires_at);
create index agent_sessions_agent on agent_sessions (agent_id, created_at);
create index agent_sessions_expiry on agent_sessions (expires_at);
-- Only for the deletion of ended keys.
create index agent_sessions_key on agent_sessions (key_id);
