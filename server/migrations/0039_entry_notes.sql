-- Kind: expand

-- The poster's notes on an entry, and a choice that takes effect when entries end. Nobody but the poster sees them.

create table entry_notes (
  submission_id uuid primary key references submissions (id),
  mark text check (mark in ('shortlist', 'out')),
  -- Text that the poster has not sent. Empty: the poster emptied the feedback and has not sent that either.
  feedback_draft text,
  updated_at timestamptz(3) not null
);

-- The entry that the poster chose while closing early. It wins when entries end, if it is eligible then.
alter table projects add column planned_winner_id uuid;
