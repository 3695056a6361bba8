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
