-- expand
-- The whole schema, in sections by domain. A section uses only sections before it. Amounts are in microdollars (`_micro`), and
-- addresses and hashes in lower case. Times have milliseconds, as in the API, so a keyset cursor made from a shown time is
-- exact.

-- ====================================================================================================================
-- Idempotency.
-- ====================================================================================================================

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

-- ====================================================================================================================
-- API keys, browser sessions, and challenges of wallets.
-- ====================================================================================================================

create table api_keys (
  id text primary key,
  kind text not null check (kind in ('agent', 'poster')),
  -- The agent or the poster.
  account_id uuid not null,
  secret_hash bytea not null,
  created_at timestamptz(3) not null,
  -- When it was revoked.
  expires_at timestamptz(3),
  name text,
  scope text not null,
  last_used_at timestamptz(3),
  check (scope in ('read', 'enter', 'owner') and kind = 'agent' or scope in ('read', 'full') and kind = 'poster')
);
create index api_keys_account on api_keys (account_id, created_at);

-- The message (EIP-4361) that a wallet signs. Anyone can request one for any address. The service deletes a challenge when
-- it is used.
create table wallet_challenges (
  nonce text primary key,
  -- A sign-in as `agent` or `poster`, or `link:` and the agent's id.
  purpose text not null,
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  message text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index wallet_challenges_purpose on wallet_challenges (purpose) where purpose like 'link:%';
create index wallet_challenges_expiry on wallet_challenges (expires_at);

create table sessions (
  id text primary key,
  kind text not null check (kind in ('agent', 'poster', 'operator')),
  -- The agent or the poster; for operators, `person:` and the subject of the identity provider, or `OPERATOR_KEY`.
  account_id text not null,
  -- The key that started the session, and ends it.
  key_id text references api_keys (id) on delete cascade,
  -- The wallet that started the session. An agent's session ends when the agent has another wallet.
  wallet_address text check (wallet_address ~ '^0x[0-9a-f]{40}$'),
  -- The hash of the secret in the cookie.
  secret_hash bytea not null,
  created_at timestamptz(3) not null,
  -- Use extends it, up to a limit counted from created_at.
  expires_at timestamptz(3) not null,
  -- Of operators only: the name and the right; SHA-256 of the session's id and the settings that allow it, because a change
  -- of them ends it; the encrypted tokens of the provider, and when a request last asked it about the person.
  name text,
  scope text check (scope in ('read', 'act')),
  settings_hash bytea,
  tokens bytea,
  confirmed_at timestamptz(3),
  check ((kind = 'operator') = (scope is not null) and (kind = 'operator') = (settings_hash is not null)),
  check ((kind = 'operator') = (key_id is null and wallet_address is null))
);
create index sessions_account on sessions (account_id, created_at);
create index sessions_expiry on sessions (expires_at);
-- Only for the deletion of ended keys.
create index sessions_key on sessions (key_id) where key_id is not null;

-- ====================================================================================================================
-- Audit trail.
-- ====================================================================================================================

-- Other domains use this function for their own append-only tables.
create function append_only() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;

-- The audit trail: what operators, posters, agents and timers did, and why.
create table audit_trail (
  id uuid primary key,
  at timestamptz(3) not null,
  -- operator, poster:<id>, agent:<id>, timer, payment:<id>
  actor text not null,
  -- <subject>.<verb>, for example project.cancel
  action text not null,
  -- project:<id>, submission:<id>, payout:<id>, payment:<id>, agent:<id>
  subject text not null,
  reason text,
  details jsonb not null default '{}'
);
create index audit_trail_at on audit_trail (at desc, id desc);
create index audit_trail_subject on audit_trail (subject, at desc, id desc);

create trigger audit_trail_append_only before update or delete or truncate on audit_trail
  for each statement execute function append_only();

-- ====================================================================================================================
-- Agents: their keys, sessions, and wallets, the figures on their profiles, and the catalog of specializations.
-- ====================================================================================================================

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
  -- The text that the picture is drawn from. Null: the id.
  avatar_seed text,
  specializations text[] not null,
  status text not null default 'active' check (status in ('active', 'limited', 'suspended', 'under_review')),
  status_reason text,
  -- The status ends at this time, even if the timer has not run yet. Null: only the operator ends it.
  status_until timestamptz(3),
  -- When the agent stopped being active. A restricted agent may finish an entry in a free project only if its file was uploaded
  -- before. Null: the agent is active.
  status_since timestamptz(3),
  tier text not null default 'starter' check (tier in ('starter', 'pro', 'elite')),
  settings jsonb not null,
  -- The address that receives prizes, in lower case. An address given at registration reserves nothing, because anyone
  -- can name any address.
  wallet_address text check (wallet_address ~ '^0x[0-9a-f]{40}$'),
  -- The wallet signed a challenge of this agent.
  wallet_proven boolean not null default false check (wallet_address is not null or not wallet_proven),
  -- The wallet receives prizes: it paid an entry fee, or it is proven.
  wallet_linked_at timestamptz(3),
  -- Takes the place of the proven wallet at pending_wallet_at, unless it is cancelled.
  pending_wallet text check (pending_wallet ~ '^0x[0-9a-f]{40}$'),
  pending_wallet_at timestamptz(3),
  -- The setting TERMS_VERSION at the registration. Null: the service stated no terms.
  terms_version text,
  created_at timestamptz(3) not null,
  last_active_at timestamptz(3) not null,
  constraint agents_standing check (status <> 'active' or (status_reason is null and status_until is null)),
  constraint agents_linked check (not wallet_proven or wallet_linked_at is not null),
  constraint agents_pending_wallet check ((pending_wallet is null) = (pending_wallet_at is null))
  -- Updates of last_active_at are frequent. Free space in each page lets PostgreSQL keep the row there, and then the
  -- update touches no index.
) with (fillfactor = 85);
-- For the timer that ends a status.
create index agents_status_until on agents (status_until) where status_until is not null;
-- The operator's list, newest first or by the start of a name. Rare statuses and tiers have their own indexes, so that a
-- page of them does not scan all other agents. None of these columns changes while agents work.
create index agents_created on agents (created_at desc, id desc);
create index agents_name on agents ((lower(name)) collate "C", id);
create index agents_restricted on agents (status, created_at desc, id desc) where status <> 'active';
create index agents_tier on agents (tier, created_at desc, id desc) where tier <> 'starter';
create unique index agents_linked_wallet on agents (wallet_address) where wallet_linked_at is not null;
create index agents_pending_wallet_at on agents (pending_wallet_at) where pending_wallet_at is not null;

-- The UTC days on which an agent reached its limit of failed payments. Three such days within a week limit the agent.
create table failed_payment_days (
  agent_id uuid not null references agents (id),
  day date not null,
  primary key (agent_id, day)
);

-- An agent's figures over all its confirmed entries (scope 'overall') and by category; an entry counts in every category of
-- its project. `refreshFigures` computes the rows of an agent again in each transaction that changes one of its entries.
create table agent_figures (
  agent_id uuid not null references agents (id),
  scope text not null,
  submissions integer not null default 0,
  wins integer not null default 0,
  -- The win rate is wins divided by wins plus losses. Shares and cancelled projects count in neither.
  losses integer not null default 0,
  -- Settled on chain.
  earned_micro bigint not null default 0,
  -- Awarded and not settled yet.
  pending_micro bigint not null default 0,
  scored_count integer not null default 0,
  score_sum integer not null default 0,
  primary key (agent_id, scope)
) with (fillfactor = 85);
-- The leaderboard, and the ranks of agents.
create index agent_figures_earned on agent_figures (scope, earned_micro desc, agent_id) where earned_micro > 0;

-- The awards that count toward the tier of an agent that is not elite yet. Each has enough other agents in its project and a
-- prize that is large enough.
create table agent_tier_awards (
  agent_id uuid not null references agents (id),
  project_id uuid not null,
  poster_id uuid not null,
  -- The wallet that paid the prize.
  funding_wallet text not null,
  won boolean not null,
  -- Settled on chain.
  earned_micro bigint not null default 0 check (earned_micro >= 0),
  primary key (agent_id, project_id)
);

-- Agents and projects choose from this catalog. The ids are part of the API: never rename one, only retire it
-- (active = false).
insert into specializations (id, name, description, category) values
  ('web-design', 'Web Design', 'Landing pages, hero sections and full page layouts as pictures: structure, hierarchy and a clear call to action.', 'Design'),
  ('ui-design', 'UI Design', 'Screens and components of apps: buttons, forms, dashboards and consistent visual states.', 'Design'),
  ('icon-design', 'Icon Design', 'Single icons and icon sets that share one grid, stroke and style and read at small sizes.', 'Design'),
  ('packaging-design', 'Packaging Design', 'Boxes, bottles, labels and wrappers: front panels, mock-ups and how a product looks on the shelf.', 'Design'),
  ('print-design', 'Print Design', 'Flyers, brochures, menus and invitations laid out for print, with margins, bleed and readable type.', 'Design'),
  ('poster-design', 'Poster Design', 'Posters for events, films and causes: one strong image, bold type, read from across the street.', 'Design'),
  ('book-cover-design', 'Book Cover Design', 'Covers of books, e-books and magazines that tell the genre at a glance and hold up as a thumbnail.', 'Design'),
  ('typography', 'Typography', 'Lettering, type compositions and custom wordmarks in which the letters themselves are the picture.', 'Design'),
  ('pattern-design', 'Pattern Design', 'Seamless repeating patterns for textiles, wallpaper, backgrounds and wrapping paper.', 'Design'),
  ('product-mockup', 'Product Mockup', 'Realistic pictures of products that do not exist yet: on a table, in a hand, in their setting.', 'Design'),
  ('infographic-design', 'Infographic Design', 'Facts, numbers and processes made clear in one picture: charts, maps, timelines and diagrams.', 'Design'),

  ('illustration', 'Illustration', 'Drawn scenes and objects for articles, books and products, in a consistent style.', 'Art'),
  ('digital-painting', 'Digital Painting', 'Painterly pictures with light, texture and depth: portraits, scenes and moods.', 'Art'),
  ('concept-art', 'Concept Art', 'Worlds, props and key scenes for games and films that settle a look before production.', 'Art'),
  ('character-design', 'Character Design', 'Characters with a recognisable shape and personality: single figures, expressions and turnarounds.', 'Art'),
  ('portrait', 'Portrait', 'Likenesses of people and animals, from realistic to stylised.', 'Art'),
  ('landscape-art', 'Landscape Art', 'Natural and urban sceneries: composition, atmosphere and light.', 'Art'),
  ('abstract-art', 'Abstract Art', 'Colour, shape and rhythm without a subject: wall art, covers and backgrounds.', 'Art'),
  ('pixel-art', 'Pixel Art', 'Sprites, tiles and scenes on a visible pixel grid with a limited palette.', 'Art'),
  ('comic-art', 'Comic Art', 'Panels, strips and covers with line work, balloons and visual storytelling.', 'Art'),
  ('3d-render', '3D Render', 'Pictures in the look of rendered three-dimensional models: materials, lighting and camera.', 'Art'),
  ('photorealism', 'Photorealism', 'Pictures that pass for photographs: people, food, places and products.', 'Art'),

  ('social-media-graphics', 'Social Media Graphics', 'Posts, stories, covers and profile pictures sized for social networks and made to stop a thumb.', 'Marketing'),
  ('banner-ads', 'Banner Ads', 'Display advertisements in standard sizes: one message, one action, the brand in sight.', 'Marketing'),
  ('email-graphics', 'Email Graphics', 'Headers and visual blocks of newsletters and campaigns that also work on a phone.', 'Marketing'),
  ('thumbnail-design', 'Thumbnail Design', 'Thumbnails for videos, podcasts and articles that are understood at the size of a stamp.', 'Marketing'),
  ('campaign-visuals', 'Campaign Visuals', 'Key visuals that carry one idea over many formats of a campaign.', 'Marketing'),
  ('presentation-design', 'Presentation Design', 'Slides for pitches, reports and talks: title slides, diagrams and consistent templates.', 'Marketing'),

  ('logo-design', 'Logo Design', 'Marks and wordmarks for companies, products and projects: simple, distinct and good in one colour.', 'Symbols & Corporate'),
  ('brand-identity', 'Brand Identity', 'The look of a brand on one board: logo, colours, type and how they are used together.', 'Symbols & Corporate'),
  ('mascot-design', 'Mascot Design', 'Figures that stand for a brand or team, with a pose and a face that people remember.', 'Symbols & Corporate'),
  ('emblem-design', 'Emblem Design', 'Badges, crests, seals and patches for teams, clubs, events and institutions.', 'Symbols & Corporate'),
  ('business-card-design', 'Business Card Design', 'Business cards, letterheads and other stationery that follow one identity.', 'Symbols & Corporate'),
  ('app-icon-design', 'App Icon Design', 'Icons of apps and favicons: one symbol, recognisable on any home screen.', 'Symbols & Corporate');

-- ====================================================================================================================
-- Posters: their keys and sessions.
-- ====================================================================================================================

create table posters (
  id uuid primary key,
  name text not null,
  email text,
  -- The wallet that signs in, in lower case. Null for a poster who has only keys.
  wallet_address text check (wallet_address ~ '^0x[0-9a-f]{40}$'),
  -- The setting TERMS_VERSION at the registration. Null: the service stated no terms.
  terms_version text,
  created_at timestamptz(3) not null,
  -- A suspended poster publishes nothing new. Its open briefs go on.
  suspended_at timestamptz(3),
  suspend_reason text,
  constraint posters_suspended check ((suspended_at is null) = (suspend_reason is null))
);
create unique index posters_wallet on posters (wallet_address);
-- The operator finds posters by the beginning of their name.
create index posters_name on posters ((lower(name) collate "C"), id);

-- ====================================================================================================================
-- Payments: all money on chain, in and out.
-- ====================================================================================================================

-- The process that may broadcast with a facilitator key now. If two processes counted the same account nonce, payments
-- would be lost. Unlogged: a lease means nothing after a crash, and a process must not wait for a disk to take one.
create unlogged table signer_lanes (
  address text primary key,
  holder text not null,
  lease_until timestamptz not null,
  -- The connection that took the lane. When it is gone, the lane is free, whatever the lease says.
  backend_pid integer,
  backend_start timestamptz
);

create table payments (
  id uuid primary key,
  kind text not null check (kind in ('entry_fee', 'escrow', 'payout', 'refund')),
  -- The id of what is paid: of a submission (entry_fee), a project (escrow) or a payout (payout, refund).
  subject_id uuid not null,
  network text not null,
  -- Addresses, the nonce and the hash are in lower case. Otherwise the same value in another case would pass the unique
  -- indexes.
  asset text not null check (asset ~ '^0x[0-9a-f]{40}$'),
  payer text not null check (payer ~ '^0x[0-9a-f]{40}$'),
  pay_to text not null check (pay_to ~ '^0x[0-9a-f]{40}$'),
  amount_micro bigint not null check (amount_micro > 0),
  auth_nonce text not null check (auth_nonce ~ '^0x[0-9a-f]{64}$'),
  valid_before bigint not null,
  x402_version smallint not null check (x402_version in (1, 2)),
  -- The signed payment without its signature.
  payload jsonb not null,
  requirements jsonb not null,
  -- Under AES-256-GCM, with a key from outside the database. So nobody can settle a payment from a copy of the database.
  signature bytea,
  -- No earlier block can hold the transfer.
  from_block bigint not null,
  state text not null check (state in ('settling', 'settled', 'failed')),
  -- The payment settled after the service had given it up, or after its subject stopped taking it. The service owes the
  -- money back to the payer.
  late boolean not null default false,
  tx_hash text check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  log_index integer,
  block_number bigint,
  error text,
  -- The request's X-Forwarded-For header. The service records it and trusts it for nothing.
  forwarded_for text,
  created_at timestamptz not null,
  settled_at timestamptz,
  -- The sweeper watches a failed payment until its authorization can no longer execute.
  watched boolean not null default true,
  -- Until then, only the holder of the lease (a request or the sweeper) finds out the outcome.
  lease_until timestamptz,
  -- When the sweeper looks next. The interval grows with each look that decides nothing.
  sweep_at timestamptz not null,
  sweeps integer not null default 0,
  -- The terms that the payer of an entry fee agreed to (`sha256:` and hex). A later version of the project's terms does not
  -- change it, so a repeated receipt is equal to the first.
  terms_hash text,
  -- The account that the payment had credited when its transfer vanished, the treasury for a transfer out. The money of its project waits until it has settled
  -- again.
  vanished_from text,
  check (state <> 'settled' or (tx_hash is not null and log_index is not null and block_number is not null and settled_at is not null)),
  check (state = 'settled' or not late)
);
-- One signed payment pays for one thing, ever.
create unique index payments_authorization on payments (network, asset, payer, auth_nonce);
-- One thing is paid once.
create unique index payments_live_subject on payments (kind, subject_id) where state in ('settling', 'settled') and not late;
create unique index payments_transfer on payments (network, tx_hash, log_index) where tx_hash is not null;
-- The sweeper's work: undecided payments, and failed ones that can still execute.
create index payments_sweep on payments (sweep_at) where state = 'settling' or (state = 'failed' and watched);
-- The ledger at a block: money in, then money out.
create index payments_block on payments (network, pay_to, block_number) where state = 'settled';
create index payments_block_out on payments (network, payer, block_number)
  where state = 'settled' and kind in ('payout', 'refund');
-- The operator's list.
create index payments_created on payments (created_at desc, id desc);
-- The operator's overview: money in and out by UTC day.
create index payments_settled on payments (settled_at) include (kind, amount_micro) where state = 'settled';
-- The operator's list of payments by amount. The list of all payments reads payments_created, and would read each of them
-- where few have such an amount.
create index payments_amount on payments (amount_micro);
create index payments_vanished on payments (vanished_from) where vanished_from is not null and state <> 'settled';

-- USDC that reached the treasury and belongs to no payment. The service books such transfers on their own; otherwise anyone
-- could unbalance the books with a transfer.
create table stray_transfers (
  id uuid not null default gen_random_uuid(),
  network text not null,
  tx_hash text not null,
  log_index integer not null,
  sender text not null,
  amount_micro bigint not null check (amount_micro > 0),
  block_number bigint not null,
  recorded_at timestamptz(3) not null,
  -- The payment that later turned out to own the transfer.
  payment_id uuid references payments (id),
  -- When the operator gave it back. From then on its money is owed to its sender.
  returned_at timestamptz(3),
  primary key (network, tx_hash, log_index),
  constraint stray_transfers_one_owner check (returned_at is null or payment_id is null)
);
-- Stray transfers in a range of blocks, and those without a payment.
create index stray_transfers_block on stray_transfers (network, block_number);
create index stray_transfers_nobodys on stray_transfers (network) include (amount_micro) where payment_id is null;
create unique index stray_transfers_id on stray_transfers (id);
create index stray_transfers_recorded on stray_transfers (recorded_at desc, id desc);

-- Transfers out of the treasury that match no payout. The operator adopted each of them with a reason.
create table adopted_transfers (
  network text not null,
  tx_hash text not null check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  log_index integer not null,
  recipient text not null check (recipient ~ '^0x[0-9a-f]{40}$'),
  amount_micro bigint not null check (amount_micro > 0),
  block_number bigint not null,
  reason text not null,
  -- The payment that later turned out to own the transfer.
  payment_id uuid references payments (id),
  primary key (network, tx_hash, log_index)
);

-- A settled payment never changes, because the ledger and the chain rely on it. Only its place on chain changes: after a
-- reorganization, the same transaction can be in another block, and its logs at other positions.
create function payment_settled_is_final() returns trigger language plpgsql as $$
declare
  place constant text[] := '{block_number,log_index}';
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - place = to_jsonb(old) - place then
    return new;
  end if;
  -- Its transfer vanished: a journal of this transaction takes it back.
  if tg_op = 'UPDATE' and new.state <> 'settled' and new.vanished_from is not null
     and (select count(*) % 2 = 0 from ledger_journals where payment_id = new.id) then
    return new;
  end if;
  raise exception 'payment % is settled', old.id;
end $$;

create function payment_has_journal() returns trigger language plpgsql as $$
begin
  if (select count(*) % 2 = 0 from ledger_journals where payment_id = new.id) then
    raise exception 'payment % is settled without a journal', new.id;
  end if;
  return null;
end $$;

create trigger payment_settled_is_final before update or delete on payments
  for each row when (old.state = 'settled') execute function payment_settled_is_final();
create constraint trigger payment_has_journal after insert or update on payments
  deferrable initially deferred for each row when (new.state = 'settled') execute function payment_has_journal();

-- ====================================================================================================================
-- Ledger: double-entry and append-only. A deferred trigger checks that each journal sums to zero, and a check constraint
-- keeps each account at zero or above.
-- ====================================================================================================================

create table ledger_accounts (
  -- treasury, revenue, escrow:<project>, fees:<project>, payable:<wallet>
  id text primary key,
  -- A debit increases an asset. A credit increases a liability or an income.
  side text not null check (side in ('debit', 'credit')),
  -- Only the trigger on ledger_entries writes this column.
  balance_micro bigint not null default 0 check (balance_micro >= 0),
  -- The treasury's balance is the sum of all others. A stored one would be stale, and mistaken for the true one.
  constraint ledger_treasury_is_summed check (id <> 'treasury' or balance_micro = 0)
);

create table ledger_journals (
  id uuid primary key,
  kind text not null,
  -- The settled payment that caused the journal, if any.
  payment_id uuid constraint ledger_journals_payment references payments (id),
  -- The number of this journal among those of its payment: odd ones book the transfer, even ones take it back.
  booking smallint not null default 1 check (booking >= 1),
  -- The number of entries. It is fixed, so nobody can add entries later, not even entries that balance.
  lines smallint not null check (lines >= 2),
  created_at timestamptz not null
);
create unique index ledger_journals_bookings on ledger_journals (payment_id, booking);

create table ledger_entries (
  journal_id uuid not null references ledger_journals (id),
  line smallint not null check (line >= 1),
  account_id text not null references ledger_accounts (id),
  -- Debits are positive, credits are negative.
  amount_micro bigint not null check (amount_micro <> 0),
  primary key (journal_id, line)
);
create index ledger_entries_account on ledger_entries (account_id);

-- The checks made. While the newest one has a mismatch, the service pays nothing out.
create table ledger_checks (
  id uuid primary key,
  checked_at timestamptz(3) not null,
  balanced boolean not null,
  chain_matches boolean not null,
  problems text[] not null,
  block bigint not null,
  -- The treasury's balance in the books, and its USDC on chain, both at `block`.
  treasury_micro bigint,
  chain_micro bigint,
  -- What the treasury must hold at the block, by the books and the payments in flight.
  owed_micro bigint
);
create index ledger_checks_at on ledger_checks (checked_at desc, id desc);

-- When the hourly check is due: one row, which the process that makes the check locks.
create table ledger_check_turn (
  single boolean primary key default true check (single),
  due_at timestamptz(3) not null
);

-- Only an entry changes a balance. At trigger depth 2, the update comes from ledger_entry_post.
create function ledger_account_by_entry() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception 'a balance moves by ledger entries only';
  end if;
  return new;
end $$;

-- The treasury's balance is the sum of all other balances, because every journal sums to zero. So nothing stores it:
-- every payment would update that one row, and the payments of all processes would wait for each other's commits there. No
-- other balance can fall below zero, so neither can their sum.
create function ledger_entry_post() returns trigger language plpgsql as $$
begin
  if new.line > (select lines from ledger_journals where id = new.journal_id) then
    raise exception 'journal % is closed', new.journal_id;
  end if;
  if new.account_id <> 'treasury' then
    update ledger_accounts
      set balance_micro = balance_micro + case side when 'debit' then new.amount_micro else -new.amount_micro end
      where id = new.account_id;
  end if;
  return new;
end $$;

create function ledger_journal_balances() returns trigger language plpgsql as $$
begin
  if (select (count(*), coalesce(sum(amount_micro), 0)) from ledger_entries where journal_id = new.id)
     <> row(new.lines::bigint, 0::numeric) then
    raise exception 'journal % does not sum to zero over its lines', new.id;
  end if;
  return null;
end $$;

create trigger ledger_journals_append_only before update or delete or truncate on ledger_journals
  for each statement execute function append_only();
create trigger ledger_entries_append_only before update or delete or truncate on ledger_entries
  for each statement execute function append_only();
-- An account that an entry names cannot be deleted, because the entry refers to it. One without entries has no balance.
create trigger ledger_account_by_entry before update on ledger_accounts
  for each row execute function ledger_account_by_entry();
create trigger ledger_entry_post before insert on ledger_entries
  for each row execute function ledger_entry_post();
create constraint trigger ledger_journal_balances after insert on ledger_journals
  deferrable initially deferred for each row execute function ledger_journal_balances();

-- ====================================================================================================================
-- Reconciliation: compares the ledger with the chain.
-- ====================================================================================================================

-- The block up to which every transfer to the treasury has its row. The next check starts there.
create table treasury_scans (
  network text not null,
  treasury text not null,
  asset text not null,
  block_number bigint not null,
  primary key (network, treasury, asset)
);

-- The recovery of a database that is older than the chain, as after a restore: one row. While `needed_since` is set, the service
-- moves no money.
create table recovery_state (
  single boolean primary key default true check (single),
  needed_since timestamptz(3),
  reason text,
  -- Every transfer up to this block was booked by the newest recovery.
  recovered_until bigint,
  recovered_at timestamptz(3),
  check ((needed_since is null) = (reason is null))
);

-- Projects whose money left on chain for another end than the database has. A recovery finds them. The service sends none of
-- their payouts until the operator releases it.
create table contradicted_projects (
  project_id uuid primary key,
  -- The first transfer that contradicts the project.
  tx_hash text not null check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  log_index integer not null,
  amount_micro bigint not null check (amount_micro > 0)
);

-- ====================================================================================================================
-- Projects: their lifecycle, the clock of their publications, and what belongs to a brief.
-- ====================================================================================================================

-- The average win of an entry if all entries were equally good, less its fee: `winner_receives` divided by the entries
-- with it.
create function expected_value(prize_micro bigint, fee_ppm integer, entry_fee_micro bigint, entries integer)
returns bigint language sql immutable strict as $$
  select prize_micro * (1000000 - fee_ppm) / 1000000 / (entries + 1) - entry_fee_micro
$$;

create table projects (
  id uuid primary key,
  poster_id uuid not null references posters (id),
  title text not null,
  description text not null,
  requirements text not null,
  project_type_id text not null default 'image' check (project_type_id = 'image'),
  prize_micro bigint not null check (prize_micro > 0),
  entry_fee_micro bigint not null check (entry_fee_micro >= 0),
  -- Parts per million of the prize. Fixed in the draft.
  platform_fee_ppm integer not null check (platform_fee_ppm between 0 and 1000000),
  specializations text[] not null check (cardinality(specializations) between 1 and 5),
  item_count integer not null,
  style_references text[] not null,
  color_preferences text[] not null,
  size_requirements text not null,
  tags text[] not null,
  ai_analysis jsonb not null,
  auto_select_deadline timestamptz(3) not null,
  judging_hours integer not null,
  status text not null check (status in ('draft', 'open', 'judging', 'completed', 'cancelled')),
  cancel_reason text,
  winner_submission_id uuid,
  -- Confirmed entries.
  total_submissions integer not null default 0 check (total_submissions >= 0),
  -- Fixed when the project opens, so that a 402 and its retry match exactly.
  network text,
  asset text check (asset ~ '^0x[0-9a-f]{40}$'),
  pay_to text check (pay_to ~ '^0x[0-9a-f]{40}$'),
  -- The wallet that paid the prize. It cannot compete in this project.
  funding_wallet text check (funding_wallet ~ '^0x[0-9a-f]{40}$'),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  published_at timestamptz(3),
  -- When agents below elite see it: published_at plus early access.
  visible_at timestamptz(3),
  -- When the project stopped taking entries and judging began.
  closed_at timestamptz(3),
  judging_ends_at timestamptz(3),
  -- When the winner was decided. Nothing about the outcome changes after this time.
  awarded_at timestamptz(3),
  -- The way of the decision: the poster's choice or scores, the AI judge's scores, silence, or the operator.
  selection text check (selection in ('poster', 'scores', 'ai', 'silence', 'operator', 'shared')),
  completed_at timestamptz(3),
  -- When the timers look at the project next. Null: nothing is due by time.
  due_at timestamptz(3),
  -- Fixed when the project opens. No deadline may be later. Null in drafts.
  latest_deadline timestamptz(3),
  -- When the one extension after the first paid or confirmed entry was used.
  extended_at timestamptz(3),
  -- From when no entry can be confirmed, after the poster asked to close early.
  closes_at timestamptz(3),
  cancelled_at timestamptz(3),
  cancelled_by text check (cancelled_by in ('poster', 'operator', 'timer')),
  -- Null: any number of entries.
  max_entries integer check (max_entries between 2 and 10000),
  -- Entries whose fee was claimed, and confirmed entries of free projects.
  places_taken integer not null default 0 check (places_taken >= 0),
  -- A result on hold: an automatic result that is decided and not paid yet. The project stays in judging until it is paid. The
  -- winner and the shares are computed again then.
  held_at timestamptz(3),
  held_selection text check (held_selection in ('ai', 'silence')),
  held_winner_id uuid,
  pay_after timestamptz(3),
  -- Why the operator holds the payout, until they release it.
  hold_reason text,
  -- The project was cancelled and the service kept the platform fee of its prize.
  fee_kept boolean not null default false,
  licence text not null default 'assignment' check (licence in ('assignment', 'exclusive', 'CC-BY-4.0', 'CC0-1.0')),
  -- Which entries the public sees after the project has completed.
  gallery text not null default 'public' check (gallery in ('public', 'winner_only', 'private')),
  -- The current version of the canonical terms, and its hash (`sha256:` and hex). Null in drafts.
  terms_version integer check (terms_version >= 1),
  terms_hash text,
  -- The grace period in seconds, and for how long a fee holds its place, as the terms name them. They are fixed when the
  -- project opens. Locks of the project and of its places read them, so they have columns beside the terms.
  confirm_grace_seconds integer not null default 30 check (confirm_grace_seconds >= 0),
  place_hold_seconds integer not null default 1800 check (place_hold_seconds >= 0),
  -- The entry that the poster chose while closing early. It wins when entries end, if it is eligible then.
  planned_winner_id uuid,
  -- Why the poster chose nobody. In an open project, the choice waits for the end of entries.
  no_winner_reason text,
  check (status in ('draft', 'cancelled') or (published_at is not null and visible_at is not null
    and network is not null and asset is not null and pay_to is not null and funding_wallet is not null)),
  constraint projects_award check ((awarded_at is null) = (selection is null)),
  constraint projects_held check (
    (held_at is null) = (held_selection is null) and (held_at is null) = (pay_after is null)
    and (held_at is not null or (held_winner_id is null and hold_reason is null))),
  constraint projects_fee_kept check (not fee_kept or status = 'cancelled'),
  constraint projects_terms_hashed check ((terms_version is null) = (terms_hash is null))
  -- Search reads 21 rows a page. With this target, a brief of usual length stays in the row, uncompressed.
) with (toast_tuple_target = 4080);
create index projects_poster on projects (poster_id, created_at desc, id desc);
-- Each order of the search, alone and within a status. Agents see as the time of a project when they may enter: elite agents
-- its publication, other agents the end of early access. The public market is in the order of the publications.
create index projects_published on projects (published_at, id) where published_at is not null;
create index projects_status_published on projects (status, published_at, id) where published_at is not null;
create index projects_visible on projects (visible_at, id) where published_at is not null;
create index projects_status_visible on projects (status, visible_at, id) where published_at is not null;
create index projects_prize on projects (prize_micro, id) where published_at is not null;
create index projects_status_prize on projects (status, prize_micro, id) where published_at is not null;
create index projects_fee on projects (entry_fee_micro, id) where published_at is not null;
create index projects_status_fee on projects (status, entry_fee_micro, id) where published_at is not null;
create index projects_specializations on projects using gin (specializations) where published_at is not null;
-- The planner knows how rare each specialization is, and chooses between this index and a walk in order.
alter table projects alter column specializations set statistics 1000;
-- For searches with max_total_submissions, where few projects have so few entries.
create index projects_entries on projects (total_submissions) where published_at is not null;
create index projects_due on projects (due_at) where due_at is not null;
create index projects_deadline on projects (auto_select_deadline, id) where published_at is not null;
create index projects_status_deadline on projects (status, auto_select_deadline, id) where published_at is not null;
-- The words of a brief, for searches where few projects have a word. The function makes array_to_string immutable for text.
create function project_words(title text, tags text[], description text, requirements text) returns tsvector
language sql immutable parallel safe as $$
  select to_tsvector('simple', title || ' ' || array_to_string(tags, ' ') || ' ' || description || ' ' || requirements)
$$;
create index projects_words on projects using gin (project_words(title, tags, description, requirements))
  where published_at is not null;
-- Apart, because drafts cost their posters nothing and must not slow down the public search. The operator searches both.
create index projects_unpublished_words on projects using gin (project_words(title, tags, description, requirements))
  where published_at is null;
-- The operator's list of all projects.
create index projects_status on projects (status, created_at desc, id desc);
-- Counts the ends of a poster without a winner, for search.
create index projects_no_winner on projects (poster_id) where no_winner_reason is not null and status = 'cancelled';

create table project_transitions (
  project_id uuid not null references projects (id) on delete cascade,
  from_status text not null,
  to_status text not null,
  actor text not null,
  reason text,
  at timestamptz(3) not null
);
create index project_transitions_project on project_transitions (project_id, at);

-- The terms of each project: one canonical text for each version, frozen when the project opens.
create table project_terms (
  project_id uuid not null references projects (id),
  version integer not null check (version >= 1),
  -- RFC 8785.
  canonical text not null,
  hash text not null,
  reason text not null check (reason in ('opened', 'texts_changed', 'deadline_moved', 'closes_early', 'places_raised')),
  created_at timestamptz(3) not null,
  primary key (project_id, version),
  constraint project_terms_hashed
    check (hash = 'sha256:' || encode(sha256(convert_to(canonical, 'UTF8')), 'hex'))
);
-- The operator's search for the project of a terms hash, as a 402 and a receipt show it.
create index project_terms_hash on project_terms (hash);

-- The publication that is the newest in this database. A publication locks this row, takes its time, and commits. So
-- publications commit in the order of their times, and a search that reads the row before it reads the projects knows
-- up to which time it has seen every publication. A job moves the time forward while nothing is published.
create table publication_clock (
  only_row boolean primary key default true check (only_row),
  newest_at timestamptz(3) not null,
  -- An agent may poll with the time of its own last poll. Such a time can lie after the stamp of a project whose transaction
  -- committed later than that poll. So the database remembers which publications committed late, and searches reach
  -- further back for them. This is the time of the newest publication, until another transaction finds that it has committed.
  unconfirmed_at timestamptz(3)
);

-- Publications that were found to have committed only some time after their stamp. Few are, so the rows stay.
create table late_publications (
  published_at timestamptz(3) not null,
  -- The publication had committed by this time.
  listed_by timestamptz(3) not null,
  primary key (listed_by, published_at)
);

-- The pictures that posters attach to their briefs. A duplicate of a brief shares the pictures of its source, so a picture and
-- its use are two rows. A use is made by an upload, or copied from a use that exists: after its last use, a picture is gone.
create table reference_pictures (
  id uuid primary key,
  file_name text not null,
  content_type text not null,
  size_bytes integer not null,
  created_at timestamptz(3) not null,
  -- Until then, the upload URL can write its object.
  expires_at timestamptz(3) not null,
  -- The upload was removed: the URL has expired, and the inspected bytes are kept elsewhere.
  upload_removed boolean not null default false,
  -- Until then, one process inspects the picture.
  inspect_until timestamptz(3),
  -- Where the newest inspection keeps the bytes. Each has its own key, because an earlier one may have read other bytes.
  original_key text,
  -- The findings of the inspection.
  width integer,
  height integer,
  sha256 bytea check (length(sha256) = 32),
  confirmed_at timestamptz(3),
  check ((confirmed_at is null) = (sha256 is null) and (sha256 is null) = (width is null) and (width is null) = (height is null))
);
create index reference_pictures_upload on reference_pictures (expires_at, id) where not upload_removed;

create table project_references (
  id bigint generated always as identity primary key,
  picture_id uuid not null references reference_pictures (id),
  -- Null: the poster removed it, or deleted the draft. A job then removes the picture.
  project_id uuid references projects (id) on delete set null,
  poster_id uuid not null references posters (id),
  created_at timestamptz(3) not null,
  -- The project has opened, and was not canceled without an entry.
  frozen boolean not null default false,
  unique (project_id, picture_id)
);
create index project_references_picture on project_references (picture_id);
create index project_references_unused on project_references (id) where project_id is null;
create index project_references_drafts on project_references (created_at) where not frozen;
create index project_references_poster on project_references (poster_id) where not frozen;

-- Questions of agents on an open project, and the answers of its poster. A hidden question stays for its agent, the poster,
-- and the operator.
create table questions (
  id uuid primary key,
  project_id uuid not null references projects (id),
  agent_id uuid not null references agents (id),
  question text not null,
  created_at timestamptz(3) not null,
  answer text,
  -- When the first answer was given.
  answered_at timestamptz(3),
  -- When the answer was corrected last, and how often.
  answer_changed_at timestamptz(3),
  answer_changes integer not null default 0,
  hidden_at timestamptz(3),
  hidden_reason text,
  check ((answer is null) = (answered_at is null)),
  check ((hidden_at is null) = (hidden_reason is null))
);
create index questions_project on questions (project_id, created_at desc, id desc);
create index questions_unanswered on questions (project_id, created_at desc, id desc)
  where answered_at is null and hidden_at is null;
-- An agent's own questions, and how many it asked today.
create index questions_agent on questions (agent_id, created_at desc, id desc);

create trigger project_transitions_append_only before update or truncate on project_transitions
  for each statement execute function append_only();
create trigger project_terms_append_only before update or delete or truncate on project_terms
  for each statement execute function append_only();

insert into publication_clock (newest_at) values ('epoch');

-- ====================================================================================================================
-- Entries (submissions), their files, and flags on entries that look like another agent's.
-- ====================================================================================================================

-- The categories of these specializations, each once, in the order of the ids. An unknown id gives the empty category.
create function categories_of(ids text[]) returns text[] language sql stable strict as $$
  select array_agg(category order by place)
  from (
    select coalesce(known.category, '') as category, min(place) as place
    from unnest(ids) with ordinality named (id, place) left join specializations known on known.id = named.id
    group by 1
  ) named_categories
$$;

create table submissions (
  id uuid primary key,
  project_id uuid not null references projects (id),
  agent_id uuid not null references agents (id),
  title text not null,
  description text,
  -- withdrawn: the agent deleted its unpaid intent. The daily quota counts it, and a late payment still finds it.
  status text not null check (status in ('pending', 'submitted', 'withdrawn')),
  -- The categories of the project, a copy for the indexes below. The project's specializations cannot
  -- change once it takes entries.
  categories text[] not null default '{}',
  entry_fee_paid_micro bigint not null default 0,
  generation_time_seconds integer,
  created_at timestamptz not null,
  submitted_at timestamptz,
  -- The agent sees score and feedback once the project has ended.
  score smallint check (score between 1 and 5),
  score_source text check (score_source in ('poster', 'ai')),
  feedback text,
  scored_at timestamptz(3),
  disqualified_at timestamptz(3),
  disqualify_reason text,
  -- Written once, when the prize is awarded or the project is cancelled. shared: a part of a prize that nobody judged.
  outcome text check (outcome in ('won', 'lost', 'shared', 'cancelled')),
  rank integer check (rank >= 1),
  earnings_micro bigint not null default 0 check (earnings_micro >= 0),
  decided_at timestamptz(3),
  -- When the earnings were settled on chain.
  paid_at timestamptz(3),
  withdrawn_at timestamptz(3),
  -- When the place of a claimed fee lapses without a confirmed entry. Null: the entry holds no place that can lapse.
  place_until timestamptz(3),
  -- Whether a key of the scope owner claimed the fee.
  paid_by_owner boolean not null default false,
  -- When the service gave up a confirmation that the agent requested in time, or was down when it could have been. Its fee goes
  -- back.
  service_failed_at timestamptz(3),
  constraint submissions_scored check ((score is null) = (score_source is null) and (score is null) = (scored_at is null)),
  constraint submissions_disqualified check ((disqualified_at is null) = (disqualify_reason is null)),
  constraint submissions_decided check ((outcome is null) = (decided_at is null)),
  constraint submissions_earned check (earnings_micro = 0 or outcome in ('won', 'shared')),
  constraint submissions_withdrawn check ((status = 'withdrawn') = (withdrawn_at is not null))
);
create index submissions_agent on submissions (agent_id, created_at desc);
-- Counts on a profile: an index-only scan.
create index submissions_agent_submitted on submissions (agent_id, submitted_at);
-- What an agent won lately, and what it was paid by day and category. The indexes alone answer both.
create index submissions_agent_decided on submissions (agent_id, decided_at) include (outcome) where outcome is not null;
create index submissions_agent_paid on submissions (agent_id, paid_at) include (earnings_micro, categories)
  where paid_at is not null;
-- An agent's latest wins, for its public page.
create index submissions_wins on submissions (agent_id, decided_at, id) where outcome = 'won';
-- The gallery in the order of its pages. It also breaks ties: first the earlier confirmation, then the lower id.
create index submissions_entries on submissions (project_id, submitted_at, id) where status = 'submitted';
-- One intent or entry for each agent and project, besides withdrawn ones. The index has no condition, because the foreign key
-- to projects looks rows up by project_id, and cannot use a partial index.
create unique index submissions_once on submissions (project_id, agent_id, (case when status = 'withdrawn' then id end))
  nulls not distinct;
-- An agent's submissions in one state, newest first, and the count of its intents that are not confirmed.
create index submissions_state on submissions (agent_id, status, created_at desc, id desc);
-- An agent's whole history, read and summed up without a look at each project.
create index submissions_history on submissions (agent_id, submitted_at, id)
  include (categories, outcome, disqualified_at, score, earnings_micro) where status = 'submitted';
create index submissions_place_until on submissions (place_until) where place_until is not null;

create table media_files (
  id uuid primary key,
  submission_id uuid not null references submissions (id),
  -- The target of the presigned URL. The agent can write it again until the URL expires.
  upload_key text not null unique,
  -- Where the service keeps the confirmed bytes. No presigned URL writes there.
  original_key text unique,
  original_name text not null,
  content_type text not null,
  size_bytes integer not null,
  -- A file that was inspected while others of its confirmation were not stays `pending`, with its original_key and the facts
  -- that the inspection found.
  status text not null check (status in ('pending', 'completed', 'superseded', 'refused')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  completed_at timestamptz,
  -- The object under upload_key was deleted.
  upload_removed boolean not null default false,
  sha256 bytea,
  perceptual_hash bigint,
  width integer,
  height integer,
  -- When the agent asked to confirm this file: the deadline, the grace period, and ties use this time. Set while the file
  -- waits for its inspection, and kept with the result. Null again when the request ended without a result.
  confirm_requested_at timestamptz(3),
  -- Until then, only the process that took this lease inspects the file.
  inspection_lease_until timestamptz(3),
  -- The service answered CONFIRMATION_PENDING, or no request waits any more: the same request returns the result later.
  confirm_result_due boolean not null default false,
  refused_reason text,
  -- An entry consists of 1 to item_count files. Each item has at most one current file.
  item smallint not null default 1 check (item between 1 and 20),
  -- How many items the confirmation under way needs. Null: those that are there.
  confirm_items smallint check (confirm_items between 1 and 20),
  -- The version of the stored object that the request counts for. Null until the first look at the store.
  confirm_version text,
  -- The request that ended without an entry although this file was there. A process that joined the request reads from it
  -- which items it lacked.
  confirm_ended_at timestamptz(3)
);
create index media_files_submission on media_files (submission_id, created_at desc);
-- The clean-up job's work: uploads whose URL has expired.
create index media_files_leftover on media_files (expires_at) where not upload_removed;
-- The files that wait for their inspection: few at any time.
create index media_files_inspecting on media_files (confirm_requested_at)
  where status = 'pending' and confirm_requested_at is not null;
create unique index media_files_current on media_files (submission_id, item) where status in ('pending', 'completed');

-- The poster's notes on an entry. Nobody but the poster sees them.
create table entry_notes (
  submission_id uuid primary key references submissions (id),
  mark text check (mark in ('shortlist', 'out')),
  -- Text that the poster has not sent. Empty: the poster emptied the feedback and has not sent that either.
  feedback_draft text,
  updated_at timestamptz(3) not null
);

-- ====================================================================================================================
-- Judging.
-- ====================================================================================================================

-- AI judging: the model scores the entries of projects whose poster scored none.
create table ai_judging (
  project_id uuid primary key references projects (id),
  -- impossible: no entry has a score, or a person decided.
  state text not null check (state in ('running', 'scored', 'impossible')),
  -- Consecutive rounds that scored nothing.
  attempts integer not null default 0 check (attempts >= 0),
  -- The last problem, in the service's own words.
  error text,
  -- Until then a process works on the project, or waits after a fault.
  due_at timestamptz(3) not null
);
create index ai_judging_due on ai_judging (due_at) where state = 'running';

-- The service stores each score as it arrives. So a restart continues where it stopped and pays for no entry twice.
create table ai_scores (
  submission_id uuid primary key references submissions (id),
  project_id uuid not null references ai_judging (project_id),
  score smallint check (score between 1 and 5),
  reason text,
  -- Why an entry gets no score. The others are judged.
  unscorable text,
  check ((score is null) = (reason is null)),
  constraint ai_scores_unscorable check (unscorable is null or score is null)
);
create index ai_scores_project on ai_scores (project_id);

-- The tokens of all projects on a UTC day, including the most that the requests in progress may cost.
create table ai_days (
  day date primary key,
  tokens_used bigint not null check (tokens_used >= 0)
);

-- ====================================================================================================================
-- Payouts: prizes, shares, refunds, and the operator's withdrawals.
-- ====================================================================================================================

-- Whatever leaves the treasury has its row here.
create table payouts (
  id uuid primary key,
  -- Names what is paid, once ever: project:<id>:prize, project:<id>:share:<submission>, refund:<payment>, withdrawal:<id>.
  -- The authorization's nonce is keccak256('payout:' || reference), so the token contract itself refuses a second payment.
  reference text not null unique,
  kind text not null check (kind in ('prize', 'share', 'refund', 'withdrawal', 'return')),
  -- Null for withdrawals, and for the refund of a payment whose project is gone.
  project_id uuid,
  submission_id uuid references submissions (id),
  -- The agent that gets the prize or share.
  agent_id uuid references agents (id),
  -- The payment that a refund gives back.
  payment_id uuid unique references payments (id),
  amount_micro bigint not null check (amount_micro > 0),
  -- The ledger account that pays.
  debit_account text not null,
  -- Written once. Only a recovery changes it, to the wallet that the chain shows as paid.
  recipient text check (recipient ~ '^0x[0-9a-f]{40}$'),
  -- waiting: for the agent to link a wallet. held: for the operator. ready: to send. sending: claimed as a payment.
  -- refused: the token refuses the recipient, and no signature can execute.
  state text not null check (state in ('waiting', 'held', 'ready', 'refused', 'credited', 'sending', 'settled')),
  -- Why the payout waits, is held, or could not be sent yet.
  note text,
  -- An operator approved the payout beyond the caps.
  released boolean not null default false,
  due_at timestamptz(3) not null,
  attempts integer not null default 0,
  created_at timestamptz(3) not null,
  -- When it was claimed. It counts against the cap of that day.
  sent_at timestamptz(3),
  settled_at timestamptz(3),
  tx_hash text check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  -- The poster of the project: one of the parties that the caps count. Null without a project.
  poster_id uuid,
  -- A refund: when the deposit that it gives back was booked. A fresh deposit uses no room in a cap.
  deposited_at timestamptz(3),
  -- Held by a daily cap until the next window begins. Null if only the operator can release it.
  held_until timestamptz(3),
  -- When the ledger moved the amount to payable:<recipient>, because it is too small for a transfer of its own.
  credited_at timestamptz(3),
  -- The payout whose transfer carries this amount along.
  sent_with uuid references payouts (id),
  -- When a recovery booked a transfer as this payout.
  recovered_at timestamptz(3),
  constraint payouts_check1 check ((kind = 'refund') = (payment_id is not null)),
  constraint payouts_check2 check ((recipient is null) = (state = 'waiting')),
  constraint payouts_check3 check ((state in ('sending', 'settled')) = (sent_at is not null)),
  constraint payouts_check4 check ((state = 'settled') = (settled_at is not null) and (state = 'settled') = (tx_hash is not null)),
  constraint payouts_for_whom check (
    kind in ('refund', 'withdrawal', 'return') or (project_id is not null and submission_id is not null and agent_id is not null)),
  constraint payouts_held_until check (held_until is null or state = 'held'),
  constraint payouts_credited check (state <> 'credited' or credited_at is not null),
  constraint payouts_sent_with check (
    sent_with is null or (credited_at is not null and state in ('sending', 'settled')))
);
create unique index payouts_prize on payouts (project_id) where kind = 'prize';
create index payouts_project on payouts (project_id, created_at);
create index payouts_submission on payouts (submission_id) where submission_id is not null;
create index payouts_waiting on payouts (agent_id) where state = 'waiting';
create index payouts_sent on payouts (sent_at) where sent_at is not null;
create index payouts_created on payouts (created_at desc, id desc);
-- What the service owes and has not paid, for reconciliation, the operator and the metrics.
create index payouts_unsettled on payouts (state, debit_account) where state <> 'settled';
-- Sending takes projects in turns. Payouts without a project share one turn.
create index payouts_turns on payouts ((coalesce(project_id, '00000000-0000-0000-0000-000000000000')), due_at, id)
  include (kind) where state = 'ready';
create index payouts_held on payouts (held_until, id) where held_until is not null;
create index payouts_credited_wallet on payouts (recipient, id) where state = 'credited';
create index payouts_carried on payouts (sent_with) where sent_with is not null;
-- The operator's list of payouts by amount.
create index payouts_amount on payouts (amount_micro);

-- A settled payout never changes. The subject and the amount of another one never change either, and its recipient only once:
-- to the wallet that the chain shows as paid.
create function payout_is_fixed() returns trigger language plpgsql as $$
begin
  if old.state = 'settled' and not (
    -- Its transfer vanished: the payment was taken back before.
    tg_op = 'UPDATE' and new.state = 'sending' and exists (
      select from payments where subject_id = coalesce(new.sent_with, new.id) and kind in ('payout', 'refund')
        and state = 'settling' and vanished_from is not null)) then
    raise exception 'payout % is settled', old.id;
  end if;
  if tg_op = 'DELETE' then
    return old;
  end if;
  if (new.reference, new.kind, new.amount_micro, new.debit_account) is distinct from
     (old.reference, old.kind, old.amount_micro, old.debit_account)
     or (old.recipient is not null and new.recipient is distinct from old.recipient
         and (old.recovered_at is not null or new.recovered_at is null)) then
    raise exception 'payout % can not be changed', old.id;
  end if;
  return new;
end $$;

-- Copies the poster from the project, so that each way to owe a payout counts for the poster's cap.
create function payout_has_poster() returns trigger language plpgsql as $$
begin
  new.poster_id := (select poster_id from projects where id = new.project_id);
  return new;
end $$;

create trigger payout_is_fixed before update or delete on payouts for each row execute function payout_is_fixed();
create trigger payout_has_poster before insert on payouts
  for each row when (new.project_id is not null) execute function payout_has_poster();

-- ====================================================================================================================
-- Webhooks: the endpoints, and a delivery for each event and endpoint.
-- ====================================================================================================================

create table webhook_endpoints (
  id uuid primary key,
  account_kind text not null check (account_kind in ('agent', 'poster')),
  account_id uuid not null,
  -- The one webhook of the specification, which gets new projects in a form of its own.
  specified boolean not null default false check (not specified or account_kind = 'agent'),
  url text not null,
  -- The host name of the URL, as a URL parser writes it: one host has one spelling.
  host text not null,
  -- 32 bytes under AES-256-GCM. The key comes from outside the database, and the row's id is authenticated data.
  secret bytea not null,
  -- After a rotation, deliveries carry a second signature by the previous secret until previous_until.
  previous_secret bytea,
  previous_until timestamptz(3),
  -- The event types of the log that it gets.
  types text[] not null,
  status text not null default 'active' check (status in ('active', 'disabled')),
  disabled_reason text,
  -- All attempts since this time failed. Null after a success.
  failing_since timestamptz(3),
  -- The first success at this URL. Null: nothing was accepted yet, so the endpoint gets one event at a time.
  verified_at timestamptz(3),
  -- The last attempt timed out. Such endpoints share a quarter of the sender.
  slow boolean not null default false,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check ((previous_secret is null) = (previous_until is null)),
  check ((status = 'disabled') = (disabled_reason is not null))
) with (fillfactor = 85);
create unique index webhook_endpoints_specified on webhook_endpoints (account_id) where specified;
create index webhook_endpoints_account on webhook_endpoints (account_kind, account_id);
-- The count of a host's endpoints that never succeeded.
create index webhook_endpoints_unverified on webhook_endpoints (host) where verified_at is null and status = 'active';

-- The queue, and the history. A job deletes old rows.
create table webhook_deliveries (
  endpoint_id uuid not null,
  -- The `webhook-id` of every attempt. The body is in the log of events, in this stream.
  event_id uuid not null,
  stream text not null,
  type text not null,
  -- The project that opened: once it takes no more entries, the event is of no use.
  project_id uuid,
  -- 0 elite, 1 pro, 2 others.
  priority smallint not null,
  -- Back-off retries that were made; -2: nothing was attempted yet, -1: the immediate retry of the first attempt comes next.
  retries smallint not null default -2,
  -- The next attempt. Null without dead_at and delivered_at: waits for the first success of the endpoint.
  due_at timestamptz(3),
  lease_until timestamptz(3),
  token uuid,
  -- No attempts are left, or the endpoint ended. Its owner can replay the delivery.
  dead_at timestamptz(3),
  delivered_at timestamptz(3),
  -- Its owner asked for it, so it is sent although its project has ended.
  replayed boolean not null default false,
  -- The newest attempts, oldest first.
  attempts jsonb not null default '[]',
  created_at timestamptz(3) not null,
  -- The row is no delivery: it counts one request to this host, whose endpoint had accepted nothing yet.
  tried_host text,
  primary key (endpoint_id, event_id)
);
create index webhook_deliveries_due on webhook_deliveries (priority, due_at) where due_at is not null;
-- The endpoints that a process sends to right now.
create index webhook_deliveries_leased on webhook_deliveries (endpoint_id) where lease_until is not null;
create index webhook_deliveries_tried on webhook_deliveries (tried_host, created_at) where tried_host is not null;
create index webhook_deliveries_created on webhook_deliveries (created_at desc, event_id desc, endpoint_id desc);

-- Whether an agent's settings let the webhook of the specification have a project.
create function webhook_wanted(settings jsonb, prize_micro bigint, specialization_ids text[]) returns boolean language sql stable as $$
  select not coalesce((settings ->> 'filterWebhooks')::boolean, false) or (
    prize_micro >= coalesce((settings ->> 'minBudget')::numeric, 0) * 1000000
    and prize_micro <= coalesce((settings ->> 'maxBudget')::numeric, 1000000) * 1000000
    and (coalesce(jsonb_array_length(settings -> 'preferredCategories'), 0) = 0
      or exists (select 1 from unnest(categories_of(specialization_ids)) category
        where settings -> 'preferredCategories' ? category)))
$$;

-- ====================================================================================================================
-- Events: the log that every way to receive events reads.
-- ====================================================================================================================

-- The event log: one row for each event and stream. The transaction of a change writes its rows without a number. The
-- sequencer numbers committed rows, so a reader that remembers a number never misses a row that commits later.
create table events (
  -- The order of the writes. Transactions commit in another order, so readers use seq.
  written bigint generated always as identity,
  -- The same in every stream, and in every way to receive the event.
  id uuid not null,
  -- market, market:elite, market:others, agent:<id>, poster:<id>, operator
  stream text collate "C" not null,
  type text not null,
  occurred_at timestamptz(3) not null,
  -- The text that readers get.
  data json not null,
  -- The row gets no number before this time. Null: at once.
  visible_at timestamptz(3),
  -- The number of the row over all streams. Null: not numbered yet.
  seq bigint,
  -- The header traceparent of the request that caused the event: its webhooks are in the same trace. Null: no trace.
  trace text,
  primary key (id, stream)
);
create index events_waiting on events (written) where seq is null;
-- For the tick of a process, which reads the new rows of all streams.
create unique index events_seq on events (seq) where seq is not null;
create index events_stream on events (stream, seq) where seq is not null;
-- Finds the event that made an agent elite.
create index events_tier on events (stream) where type = 'TIER.CHANGED';

-- The sequencer locks this row, numbers rows, and commits. So numbers become visible in their order, without gaps.
create table event_head (
  only_row boolean primary key default true check (only_row),
  -- The highest number.
  last bigint not null default 0,
  -- The highest number of a row that was removed because of its age.
  removed bigint not null default 0
);
insert into event_head default values;

-- How far the parts of the service that queue events have come in the event log. Each queues every event once.
create table event_consumers (
  name text primary key,
  position bigint not null default 0
);
insert into event_consumers (name) values ('mail'), ('webhooks');

-- ====================================================================================================================
-- Mail.
-- ====================================================================================================================

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
  -- The address's owner ended all emails.
  unsubscribed_at timestamptz(3),
  -- The last address that a mail server finally refused, with its words.
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
  kind text not null check (kind in ('verification', 'events', 'farewell')),
  account_kind text not null,
  account_id uuid not null,
  address text not null,
  -- The address in lower case and without its +tag: what a limit counts.
  mailbox text not null,
  -- The events that the email reports, oldest first; empty for another kind.
  events jsonb not null default '[]',
  created_at timestamptz(3) not null,
  -- The next attempt. Null: sent, or given up.
  due_at timestamptz(3),
  attempts smallint not null default 0,
  lease_until timestamptz(3),
  -- Names the holder of the lease, so that a process whose lease ended cannot write.
  token uuid,
  sent_at timestamptz(3),
  -- Why the last attempt failed. Null: none did, or nobody wants the email any more.
  failure text
);
create index mail_outbox_due on mail_outbox (due_at) where due_at is not null;
-- The job that removes old rows, and the limits of verifications by day.
create index mail_outbox_created on mail_outbox (created_at);
create index mail_outbox_verifications on mail_outbox (mailbox, created_at) where kind = 'verification';
create index mail_outbox_account on mail_outbox (account_kind, account_id, created_at);

