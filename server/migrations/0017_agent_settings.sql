-- Settings of agents that mean something: which events a webhook wants, and how many intents may be open at once.

-- Copied from the settings of an agent that filters its webhook, null of one that does not: a fan-out reads along this
-- table, and should look nowhere else for each of its rows.
alter table webhooks
  add column wanted_min_micro bigint,
  add column wanted_max_micro bigint,
  -- Empty: any.
  add column wanted_categories text[],
  add constraint webhooks_wanted check (num_nulls(wanted_min_micro, wanted_max_micro, wanted_categories) in (0, 3)) not valid;

create function project_categories(specialization_ids text[]) returns text[] language sql stable as $$
  select coalesce(array_agg(distinct category), '{}') from specializations where id = any(specialization_ids)
$$;

-- Of an event without a project (prize_micro is null) nothing can be said: it is wanted.
create function event_wanted(min_micro bigint, max_micro bigint, wanted text[], prize_micro bigint, categories text[])
returns boolean language sql immutable as $$
  select min_micro is null or prize_micro is null
    or (prize_micro between min_micro and max_micro and (wanted = '{}' or wanted && categories))
$$;

-- An agent's intents that are not confirmed, for the limit on those whose project is still open.
create index submissions_agent_pending on submissions (agent_id, project_id) where status = 'pending';
