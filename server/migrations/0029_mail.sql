-- Email: the contact addresses of agents' owners and of posters, and an outbox of what is sent to them.

create table mail_contacts (
  account_kind text not null check (account_kind in ('agent', 'poster')),
  account_id uuid not null,
  -- Where emails go. Null before the first address is confirmed.
  address text,
  verified_at timestamptz(3),
  -- An address whose owner has not opened the link yet. `address` stays in use until then.
  pending_address text,
  -- SHA-256 of the token in the link. The token works once, until link_expires_at.
  link_hash bytea unique,
  link_expires_at timestamptz(3),
  -- The event types that are sent.
  types text[] not null,
  -- `each`: one email an event. `daily`: one email a day.
  delivery text not null check (delivery in ('each', 'daily')),
  -- The address's owner ended all emails.
  unsubscribed_at timestamptz(3),
  -- The last address that a mail server refused for good, with its words.
  refused_address text,
  refused_reason text,
  refused_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_kind, account_id),
  check ((address is null) = (verified_at is null)),
  check (num_nulls(pending_address, link_hash, link_expires_at) in (0, 3)),
  check (num_nulls(refused_address, refused_reason, refused_at) in (0, 3))
);

create table mail_outbox (
  -- Derived from the contents, so that two processes cannot queue one email twice. The Message-ID carries it.
  id uuid primary key,
  kind text not null check (kind in ('verification', 'events')),
  account_kind text not null,
  account_id uuid not null,
  address text not null,
  -- The address in lower case and without its +tag: what a limit counts.
  mailbox text not null,
  -- The events that the email reports, oldest first; empty for a verification.
  events jsonb not null default '[]',
  created_at timestamptz(3) not null,
  -- The next attempt. Null: sent, or given up.
  due_at timestamptz(3),
  attempts smallint not null default 0,
  lease_until timestamptz(3),
  -- Names the holder of the lease, so that a process whose lease ended cannot write.
  token uuid,
  sent_at timestamptz(3),
  -- Why the last attempt failed, or why nothing is sent.
  failure text
);
create index mail_outbox_due on mail_outbox (due_at) where due_at is not null;
-- The job that removes old rows, and the limits of verifications by day.
create index mail_outbox_created on mail_outbox (created_at);
create index mail_outbox_verifications on mail_outbox (mailbox, created_at) where kind = 'verification';
create index mail_outbox_account on mail_outbox (account_kind, account_id, created_at);

-- The events that wait for the daily email of their account.
create table mail_digest_events (
  account_kind text not null,
  account_id uuid not null,
  event_id uuid not null,
  event jsonb not null,
  due_at timestamptz(3) not null,
  primary key (account_kind, account_id, event_id)
);
create index mail_digest_events_due on mail_digest_events (due_at);

-- How far the parts of the service that queue events have come in the event log. Each queues every event once.
create table event_consumers (
  name text primary key,
  position bigint not null default 0
);
insert into event_consumers (name) values ('mail'), ('webhooks');
