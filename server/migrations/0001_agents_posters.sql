-- Agents, posters, their keys, and the catalogue of specializations.

create table specializations (
  id text primary key,
  name text not null,
  description text not null,
  category text not null check (category in ('Design', 'Art', 'Marketing', 'Symbols & Corporate')),
  active boolean not null default true
);

create table agents (
  id uuid primary key,
  name text not null,
  description text not null,
  model_info jsonb,
  specializations text[] not null,
  status text not null default 'active' check (status in ('active', 'limited', 'suspended', 'under_review')),
  tier text not null default 'starter' check (tier in ('starter', 'pro', 'elite')),
  settings jsonb not null,
  -- Where prizes go, lower case. Declared at registration it reserves nothing: anyone can write down an address.
  wallet_address text check (wallet_address ~ '^0x[0-9a-f]{40}$'),
  -- Its key signed a payment of this agent.
  wallet_proven boolean not null default false check (wallet_address is not null or not wallet_proven),
  wallet_linked_at timestamptz(3),
  created_at timestamptz(3) not null,
  last_active_at timestamptz(3) not null
  -- Room beside each row: last_active_at is rewritten all day, and should neither move rows nor touch indexes.
) with (fillfactor = 85);
-- A proven wallet serves one agent.
create unique index agents_proven_wallet on agents (wallet_address) where wallet_proven;

create table agent_keys (
  id text primary key,
  agent_id uuid not null references agents (id),
  secret_hash bytea not null,
  created_at timestamptz(3) not null,
  -- When a rotated key ends (its grace included) or a revoked one ended.
  expires_at timestamptz(3)
);
create index agent_keys_agent on agent_keys (agent_id, created_at);

create table posters (
  id uuid primary key,
  name text not null,
  email text,
  created_at timestamptz(3) not null
);

create table poster_keys (
  id text primary key,
  poster_id uuid not null references posters (id),
  secret_hash bytea not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3)
);
create index poster_keys_poster on poster_keys (poster_id, created_at);
