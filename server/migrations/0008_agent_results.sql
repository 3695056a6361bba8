-- What an agent won and was paid in the last days, for its profile: answered by the indexes alone.
drop index submissions_agent_decided;
create index submissions_agent_decided on submissions (agent_id, decided_at) include (outcome) where outcome is not null;
drop index submissions_agent_paid;
create index submissions_agent_paid on submissions (agent_id, paid_at) include (earnings_micro) where paid_at is not null;
