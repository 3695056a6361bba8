-- Kind: expand

-- How far the person behind an account has read its own events. One row for each account that has looked.
create table events_seen (
  -- agent:<id> or poster:<id>, as in events.
  stream text collate "C" primary key,
  -- The number of the last seen event, or of a later one of another stream.
  seq bigint not null,
  seen_at timestamptz(3) not null
);
