-- Kind: expand

-- The order in which a poster looks at its projects, as one number: a rank in steps of 10^13, plus the milliseconds that
-- order the projects of the rank. First the projects that wait for a choice, then decided and held results, open
-- projects, drafts, and ended projects. Drafts and ended projects come newest first. It reads no setting, so an index can
-- hold it: the difference of two times is immutable, and extract(epoch from a time) is not.
create function project_urgency(
  status text, is_decided boolean, entries_end_at timestamptz, judging_ends_at timestamptz, created_at timestamptz
) returns bigint language sql immutable parallel safe as $$
  select case status
    when 'judging' then case when is_decided then 20000000000000 else 10000000000000 end
      + (date_part('epoch', judging_ends_at - timestamptz '1970-01-01 00:00:00+00') * 1000)::bigint
    when 'open' then 30000000000000
      + (date_part('epoch', entries_end_at - timestamptz '1970-01-01 00:00:00+00') * 1000)::bigint
    else case status when 'draft' then 50000000000000 else 60000000000000 end
      - (date_part('epoch', created_at - timestamptz '1970-01-01 00:00:00+00') * 1000)::bigint
  end
$$;
