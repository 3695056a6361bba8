-- Agents, their keys and wallets, the figures on their profiles, and the catalog of specializations.

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
  status_reason text,
  -- The status ends at this time, even if the timer has not run yet. Null: only the operator ends it.
  status_until timestamptz(3),
  tier text not null default 'starter' check (tier in ('starter', 'pro', 'elite')),
  settings jsonb not null,
  -- The address that receives prizes, in lower case. An address given at registration reserves nothing, because anyone
  -- can name any address.
  wallet_address text check (wallet_address ~ '^0x[0-9a-f]{40}$'),
  -- The wallet signed a payment or a challenge of this agent.
  wallet_proven boolean not null default false check (wallet_address is not null or not wallet_proven),
  wallet_linked_at timestamptz(3),
  -- The figures below are part of the transactions that change them, so reading them costs the same at any size. A
  -- nightly check recomputes them.
  -- Projects that the agent entered. An intent counts.
  total_projects integer not null default 0 check (total_projects >= 0),
  total_wins integer not null default 0 check (total_wins >= 0),
  -- Settled on chain.
  earned_micro bigint not null default 0 check (earned_micro >= 0),
  -- Awarded and not settled yet.
  pending_micro bigint not null default 0 check (pending_micro >= 0),
  scored_count integer not null default 0 check (scored_count >= 0),
  score_sum integer not null default 0 check (score_sum >= 0),
  -- Consecutive wins, in the order in which the projects were decided.
  success_streak integer not null default 0 check (success_streak >= 0),
  longest_streak integer not null default 0 check (longest_streak >= success_streak),
  created_at timestamptz(3) not null,
  last_active_at timestamptz(3) not null,
  constraint agents_standing check (status <> 'active' or (status_reason is null and status_until is null))
  -- Updates of last_active_at are frequent. Free space in each page lets PostgreSQL keep the row there, and then the
  -- update touches no index.
) with (fillfactor = 85);

create table agent_keys (
  id text primary key,
  agent_id uuid not null references agents (id),
  secret_hash bytea not null,
  created_at timestamptz(3) not null,
  -- A rotated key ends after its grace period. A revoked key ends at once.
  expires_at timestamptz(3)
);

-- The message (EIP-4361) that an agent signs to link a wallet. The service deletes a challenge when it is used.
create table wallet_challenges (
  nonce text primary key,
  agent_id uuid not null references agents (id),
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  message text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);

-- The UTC days on which an agent reached its limit of failed payments. Three such days within a week limit the agent.
create table failed_payment_days (
  agent_id uuid not null references agents (id),
  day date not null,
  primary key (agent_id, day)
);

-- An agent's figures by category. A project's first specialization gives the category. The first confirmed entry creates
-- the row.
create table agent_categories (
  agent_id uuid not null references agents (id),
  category text not null,
  -- Confirmed entries.
  submissions integer not null default 0 check (submissions >= 0),
  wins integer not null default 0 check (wins >= 0),
  -- Settled on chain.
  earned_micro bigint not null default 0 check (earned_micro >= 0),
  scored_count integer not null default 0 check (scored_count >= 0),
  score_sum integer not null default 0 check (score_sum >= 0),
  primary key (agent_id, category)
) with (fillfactor = 85);

-- Counts agents by earnings, as a tree over earned_micro. A node of level n holds the values that differ only in their last
-- 6n bits. The agents that earned more than x are in at most 63 nodes on each of the nine levels. So a rank is a sum over
-- some 200 rows, however many agents there are. Agents without earnings are in no node.
create table earnings_ranks (
  -- 'overall', or a category.
  scope text not null,
  level integer not null check (level between 0 and 8),
  -- earned_micro >> (6 * level)
  bucket bigint not null,
  -- Has no check: a wrong figure must not stop the booking of a payout. The nightly check reports impossible values.
  agents integer not null,
  primary key (scope, level, bucket)
) with (fillfactor = 85);

-- The number of agents, in 64 rows, so that registrations do not wait for one row's lock.
create table agent_counts (
  stripe integer primary key check (stripe between 0 and 63),
  agents bigint not null check (agents >= 0)
);

-- The nightly checks of these figures: one for each UTC day, made by the first process that finds it due.
create table figure_checks (
  day date primary key,
  -- If the process dies, another process starts the check again at this time.
  lease_until timestamptz(3) not null,
  finished_at timestamptz(3),
  -- The number of agents checked.
  agents bigint not null default 0,
  mismatches integer not null default 0
);

-- A proven wallet belongs to one agent.
create unique index agents_proven_wallet on agents (wallet_address) where wallet_proven;
-- The leaderboard. An update that leaves the earnings alone does not touch this index.
create index agents_earned on agents (earned_micro desc, id) where earned_micro > 0;
-- For the timer that ends a status.
create index agents_status_until on agents (status_until) where status_until is not null;
-- The operator's list, newest first or by the start of a name. Rare statuses and tiers have their own indexes, so that a
-- page of them does not scan all other agents. None of these columns changes while agents work.
create index agents_created on agents (created_at desc, id desc);
create index agents_name on agents ((lower(name)) collate "C", id);
create index agents_restricted on agents (status, created_at desc, id desc) where status <> 'active';
create index agents_restricted_name on agents (status, (lower(name)) collate "C", id) where status <> 'active';
create index agents_tier on agents (tier, created_at desc, id desc) where tier <> 'starter';
create index agents_tier_name on agents (tier, (lower(name)) collate "C", id) where tier <> 'starter';
create index agent_keys_agent on agent_keys (agent_id, created_at);
create index wallet_challenges_agent on wallet_challenges (agent_id);
create index wallet_challenges_expiry on wallet_challenges (expires_at);
create index agent_categories_earned on agent_categories (category, earned_micro desc, agent_id) where earned_micro > 0;

create function count_agents() returns trigger language plpgsql as $$
begin
  update agent_counts
  set agents = agent_counts.agents + case tg_op when 'INSERT' then changed.count else -changed.count end
  from (select get_byte(uuid_send(id), 15) & 63 as stripe, count(*) as count from changed_agents group by 1) changed
  where agent_counts.stripe = changed.stripe;
  return null;
end $$;

create trigger count_new_agents after insert on agents referencing new table as changed_agents
  for each statement execute function count_agents();
create trigger count_gone_agents after delete on agents referencing old table as changed_agents
  for each statement execute function count_agents();

insert into agent_counts (stripe, agents) select stripe, 0 from generate_series(0, 63) stripe;

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
