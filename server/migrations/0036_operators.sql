-- Kind: expand

-- Named operators with scopes and codes, acts that wait for a second operator, the addresses of withdrawals, and the hash
-- chain of the audit trail.

create table operators (
  id uuid primary key,
  -- As in the audit trail: operator:<name>
  name text not null check (name ~ '^[a-z][a-z0-9._-]{1,31}$'),
  key_id text not null unique,
  secret_hash bytea not null,
  scopes text[] not null check (scopes <@ array['read', 'support', 'money', 'admin'] and scopes <> '{}'),
  added_by text not null,
  created_at timestamptz(3) not null,
  -- Null: added without an end, which only the command line can do.
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  -- The encrypted secret of the codes. It counts from the confirmation by a first code.
  code_secret bytea,
  code_confirmed_at timestamptz(3),
  -- The number of the last used code's 30 seconds: a code works once.
  code_step bigint not null default 0,
  -- Wrong codes in a row, and the time of the last one.
  code_failures integer not null default 0,
  code_failed_at timestamptz(3),
  check (code_confirmed_at is null or code_secret is not null)
);
create unique index operators_name on operators (name) where revoked_at is null;

create table operator_approvals (
  id uuid primary key,
  operation text not null,
  subject text not null,
  input jsonb not null,
  -- SHA-256 of operation and input: a repeated request finds the first one.
  fingerprint bytea not null,
  amount_micro bigint not null check (amount_micro >= 0),
  -- A pending request whose time is over counts as expired.
  state text not null default 'pending' check (state in ('pending', 'approved', 'rejected')),
  requested_by text not null,
  requested_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  decided_by text,
  decided_at timestamptz(3),
  reason text,
  check ((state = 'pending') = (decided_by is null) and (decided_by is null) = (decided_at is null)),
  constraint operator_approvals_two_people check (state <> 'approved' or decided_by <> requested_by)
);
create index operator_approvals_requested on operator_approvals (requested_at desc, id desc);
create index operator_approvals_pending on operator_approvals (requested_by, fingerprint) where state = 'pending';

create table withdrawal_addresses (
  address text primary key check (address ~ '^0x[0-9a-f]{40}$'),
  added_by text not null,
  reason text not null,
  created_at timestamptz(3) not null,
  usable_at timestamptz(3) not null
);

-- The hash chain. A job numbers committed rows of the audit trail, so no transaction of a request waits for another.
-- Each hash covers the hash before it.
create table audit_chain (
  seq bigint primary key,
  id uuid not null unique,
  hash bytea not null
);
create trigger audit_chain_append_only before update or delete or truncate on audit_chain
  for each statement execute function append_only();

-- The job locks this row, so that one process at a time continues the chain.
create table audit_head (
  only_row boolean primary key default true check (only_row),
  last bigint not null default 0,
  hash bytea not null default ''
);
insert into audit_head default values;

-- The rows of the audit trail that have no place in the chain yet, in the order of their writes.
create table audit_waiting (
  place bigint generated always as identity primary key,
  id uuid not null
);
create function audit_waits() returns trigger language plpgsql as $$
begin
  insert into audit_waiting (id) select id from added;
  return null;
end $$;
create trigger audit_trail_waits after insert on audit_trail
  referencing new table as added for each statement execute function audit_waits();
insert into audit_waiting (id) select id from audit_trail order by at, id;
