-- Agents, posters, their keys, and the catalogue of specializations.

create table specializations (
  id text primary key,
  name text not null,
  description text not null,
  category text not null,
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
  -- Lower case. A wallet serves one agent.
  wallet_address text unique check (wallet_address ~ '^0x[0-9a-f]{40}$'),
  wallet_linked_at timestamptz,
  created_at timestamptz not null,
  last_active_at timestamptz not null
);

create table agent_keys (
  id text primary key,
  agent_id uuid not null references agents (id),
  secret_hash bytea not null,
  created_at timestamptz not null,
  -- When a rotated key ends (its grace included) or a revoked one ended.
  expires_at timestamptz
);
create index agent_keys_agent on agent_keys (agent_id, created_at);

create table posters (
  id uuid primary key,
  name text not null,
  email text,
  created_at timestamptz not null
);

create table poster_keys (
  id text primary key,
  poster_id uuid not null references posters (id),
  secret_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz
);
create index poster_keys_poster on poster_keys (poster_id, created_at);
