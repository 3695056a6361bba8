-- Keys with a name, a scope, and the time of their last use. Earlier keys could do everything, so they stay `owner`.
alter table agent_keys add column name text;
alter table agent_keys add column scope text not null default 'owner' check (scope in ('read', 'enter', 'owner'));
alter table agent_keys add column last_used_at timestamptz(3);

-- Caps on entry fees. Null: no cap.
alter table agents add column budget_per_entry_micro bigint check (budget_per_entry_micro >= 0);
alter table agents add column budget_per_day_micro bigint check (budget_per_day_micro >= 0);
-- The entry fees that the service accepted on the UTC day `spent_on`, and nothing from days before.
alter table agents add column spent_on date;
alter table agents add column spent_micro bigint not null default 0 check (spent_micro >= 0);
