-- Kind: expand

-- Posters name their keys, limit what a key may do, and see when it was last used. Existing keys may do everything.

alter table poster_keys
  add column name text,
  add column scope text not null default 'full' check (scope in ('read', 'full')),
  add column last_used_at timestamptz(3);
