--
-- PostgreSQL database dump
--

\restrict 1ekM3aCXHpzCQvn8yLNLHSZlkMF8pF7Gvs3zhu9eFHVb0zmSJq4L7QYyHDSPc3V

-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: append_only(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.append_only() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;


--
-- Name: audit_waits(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.audit_waits() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  insert into audit_waiting (id) select id from added;
  return null;
end $$;


--
-- Name: categories_of(text[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.categories_of(ids text[]) RETURNS text[]
    LANGUAGE sql STABLE STRICT
    AS $$
  select array_agg(category order by place)
  from (
    select coalesce(known.category, '') as category, min(place) as place
    from unnest(ids) with ordinality named (id, place) left join specializations known on known.id = named.id
    group by 1
  ) named_categories
$$;


--
-- Name: count_agents(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.count_agents() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  update agent_counts
  set agents = agent_counts.agents + case tg_op when 'INSERT' then changed.count else -changed.count end
  from (select get_byte(uuid_send(id), 15) & 63 as stripe, count(*) as count from changed_agents group by 1) changed
  where agent_counts.stripe = changed.stripe;
  return null;
end $$;


--
-- Name: count_moved_project(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.count_moved_project() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  update project_counts set projects = projects - 1 where status = old.status and stripe = project_stripe(old.id);
  update project_counts set projects = projects + 1 where status = new.status and stripe = project_stripe(new.id);
  return null;
end $$;


--
-- Name: count_projects(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.count_projects() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  update project_counts
  set projects = project_counts.projects + case tg_op when 'INSERT' then changed.count else -changed.count end
  from (select status, project_stripe(id) as stripe, count(*) as count from changed_projects group by 1, 2) changed
  where (project_counts.status, project_counts.stripe) = (changed.status, changed.stripe);
  return null;
end $$;


--
-- Name: event_wanted(bigint, bigint, text[], bigint, text[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.event_wanted(min_micro bigint, max_micro bigint, wanted text[], prize_micro bigint, categories text[]) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
  select min_micro is null or prize_micro is null
    or (prize_micro between min_micro and max_micro and (wanted = '{}' or wanted && categories))
$$;


--
-- Name: expected_value(bigint, integer, bigint, integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.expected_value(prize_micro bigint, fee_ppm integer, entry_fee_micro bigint, entries integer) RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT
    AS $$
  select prize_micro * (1000000 - fee_ppm) / 1000000 / (entries + 1) - entry_fee_micro
$$;


--
-- Name: ledger_account_by_entry(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.ledger_account_by_entry() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if pg_trigger_depth() < 2 then
    raise exception 'a balance moves by ledger entries only';
  end if;
  return new;
end $$;


--
-- Name: ledger_append_only(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.ledger_append_only() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception 'the ledger is append-only';
end $$;


--
-- Name: ledger_entry_post(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.ledger_entry_post() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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


--
-- Name: ledger_journal_balances(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.ledger_journal_balances() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if (select (count(*), coalesce(sum(amount_micro), 0)) from ledger_entries where journal_id = new.id)
     <> row(new.lines::bigint, 0::numeric) then
    raise exception 'journal % does not sum to zero over its lines', new.id;
  end if;
  return null;
end $$;


--
-- Name: listing_keys(text[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.listing_keys(specializations text[]) RETURNS SETOF text
    LANGUAGE sql IMMUTABLE STRICT
    AS $$
  select coalesce(string_agg(id, ',' order by id collate "C") filter (where (subset >> (place - 1)::integer) & 1 = 1), '')
  from generate_series(0, (1 << cardinality(specializations)) - 1) subset,
    unnest(specializations) with ordinality named (id, place)
  group by subset
$$;


--
-- Name: payment_has_journal(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.payment_has_journal() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if (select count(*) % 2 = 0 from ledger_journals where payment_id = new.id) then
    raise exception 'payment % is settled without a journal', new.id;
  end if;
  return null;
end $$;


--
-- Name: payment_settled_is_final(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.payment_settled_is_final() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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


--
-- Name: payout_has_poster(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.payout_has_poster() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.poster_id := (select poster_id from projects where id = new.project_id);
  return new;
end $$;


--
-- Name: payout_is_fixed(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.payout_is_fixed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if (new.reference, new.kind, new.amount_micro, new.debit_account) is distinct from
     (old.reference, old.kind, old.amount_micro, old.debit_account)
     or (old.recipient is not null and new.recipient is distinct from old.recipient
         and (old.recovered_at is not null or new.recovered_at is null)) then
    raise exception 'payout % can not be changed', old.id;
  end if;
  return new;
end $$;


--
-- Name: payout_settled_is_final(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.payout_settled_is_final() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception 'payout % is settled', old.id;
end $$;


--
-- Name: poster_is_listed(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.poster_is_listed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  insert into poster_directory (poster_id, name_key) values (new.id, lower(new.name))
  on conflict (poster_id) do update set name_key = excluded.name_key;
  return null;
end $$;


--
-- Name: project_card(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.project_card() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  -- In quotes, as it stands in JSON.
  iso constant text := '"\""YYYY-MM-DD"T"HH24:MI:SS.MS"Z\""';
begin
  new.card := concat(
    '{"id":"', new.id, '","poster_id":"', new.poster_id,
    '","title":', to_json(new.title), ',"description":', to_json(new.description),
    ',"prize_amount":', trim_scale(new.prize_micro / 1000000::numeric), ',"prize_amount_micro":', new.prize_micro,
    ',"entry_fee":', trim_scale(new.entry_fee_micro / 1000000::numeric), ',"entry_fee_micro":', new.entry_fee_micro,
    ',"project_type_id":', to_json(new.project_type_id), ',"requirements":', to_json(new.requirements),
    ',"item_count":', new.item_count, ',"style_references":', to_json(new.style_references),
    ',"color_preferences":', to_json(new.color_preferences), ',"size_requirements":', to_json(new.size_requirements),
    ',"licence":', coalesce(to_json(new.licence)::text, 'null'),
    ',"auto_select_deadline":', to_char(new.auto_select_deadline at time zone 'UTC', iso),
    ',"closes_at":', coalesce(to_char(new.closes_at at time zone 'UTC', iso), 'null'),
    ',"status":', to_json(new.status),
    ',"winner_submission_id":', coalesce(to_json(new.winner_submission_id)::text, 'null'),
    ',"total_submissions":', new.total_submissions,
    ',"max_entries":', coalesce(new.max_entries::text, 'null'),
    ',"places_left":', case when new.max_entries is null then 'null'
      else greatest(new.max_entries - new.places_taken, 0)::text end,
    ',"expected_value_micro":', expected_value(new.prize_micro, new.platform_fee_ppm, new.entry_fee_micro,
      new.total_submissions),
    ',"platform_fee_rate":', trim_scale(new.platform_fee_ppm / 1000000::numeric),
    ',"ai_analysis":{"complexity_score":', new.ai_analysis -> 'complexity_score',
    ',"estimated_hours":', new.ai_analysis -> 'estimated_hours', '}',
    ',"metadata":{"tags":', to_json(new.tags), '}',
    ',"updated_at":', to_char(new.updated_at at time zone 'UTC', iso),
    ',"published_at":', coalesce(to_char(new.published_at at time zone 'UTC', iso), 'null'),
    ',"completed_at":', coalesce(to_char(new.completed_at at time zone 'UTC', iso), 'null'),
    '}');
  return new;
end $$;


--
-- Name: project_categories(text[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.project_categories(specialization_ids text[]) RETURNS text[]
    LANGUAGE sql STABLE
    AS $$
  select coalesce(array_agg(distinct category), '{}') from specializations where id = any(specialization_ids)
$$;


--
-- Name: project_stripe(uuid); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.project_stripe(id uuid) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT
    AS $$
  select get_byte(uuid_send(id), 15) & 15
$$;


--
-- Name: project_urgency(text, boolean, timestamp with time zone, timestamp with time zone, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.project_urgency(status text, is_decided boolean, entries_end_at timestamp with time zone, judging_ends_at timestamp with time zone, created_at timestamp with time zone) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select case status
    when 'judging' then case when is_decided then 20000000000000 else 10000000000000 end
      + (date_part('epoch', judging_ends_at - timestamptz '1970-01-01 00:00:00+00') * 1000)::bigint
    when 'open' then 30000000000000
      + (date_part('epoch', entries_end_at - timestamptz '1970-01-01 00:00:00+00') * 1000)::bigint
    else case status when 'draft' then 50000000000000 else 60000000000000 end
      - (date_part('epoch', created_at - timestamptz '1970-01-01 00:00:00+00') * 1000)::bigint
  end
$$;


--
-- Name: submission_categories(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.submission_categories() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  select categories_of(specializations) into new.categories from projects where id = new.project_id;
  return new;
end $$;


--
-- Name: webhook_drop_partition(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.webhook_drop_partition(name text) RETURNS void
    LANGUAGE plpgsql
    AS $_$
declare
  found regclass;
begin
  select c.oid into found from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent in ('webhook_attempts'::regclass, 'webhook_retries'::regclass)
    and c.relname = name and c.relname ~ '^webhook_(attempts|retries)_[0-9]{8}$';
  if found is not null then
    execute format('drop table %s', found);
  end if;
end $_$;


--
-- Name: webhook_partition(text, date); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.webhook_partition(parent text, day date) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  from_day text := day;
  to_day text := day + 1;
begin
  if parent = 'webhook_attempts' then
    from_day := day::timestamp at time zone 'UTC';
    to_day := (day + 1)::timestamp at time zone 'UTC';
  end if;
  execute format('create table if not exists %I partition of %I for values from (%L) to (%L)',
    parent || to_char(day, '_YYYYMMDD'), parent, from_day, to_day);
end $$;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: adopted_transfers; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.adopted_transfers (
    network text NOT NULL,
    tx_hash text NOT NULL,
    log_index integer NOT NULL,
    recipient text NOT NULL,
    amount_micro bigint NOT NULL,
    block_number bigint NOT NULL,
    adopted_at timestamp(3) with time zone NOT NULL,
    reason text NOT NULL,
    payment_id uuid,
    CONSTRAINT adopted_transfers_amount_micro_check CHECK ((amount_micro > 0)),
    CONSTRAINT adopted_transfers_recipient_check CHECK ((recipient ~ '^0x[0-9a-f]{40}$'::text)),
    CONSTRAINT adopted_transfers_tx_hash_check CHECK ((tx_hash ~ '^0x[0-9a-f]{64}$'::text))
);


--
-- Name: agent_categories; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.agent_categories (
    agent_id uuid NOT NULL,
    category text NOT NULL,
    submissions integer DEFAULT 0 NOT NULL,
    wins integer DEFAULT 0 NOT NULL,
    losses integer DEFAULT 0 NOT NULL,
    earned_micro bigint DEFAULT 0 NOT NULL,
    scored_count integer DEFAULT 0 NOT NULL,
    score_sum integer DEFAULT 0 NOT NULL,
    CONSTRAINT agent_categories_earned_micro_check CHECK ((earned_micro >= 0)),
    CONSTRAINT agent_categories_losses_check CHECK ((losses >= 0)),
    CONSTRAINT agent_categories_score_sum_check CHECK ((score_sum >= 0)),
    CONSTRAINT agent_categories_scored_count_check CHECK ((scored_count >= 0)),
    CONSTRAINT agent_categories_submissions_check CHECK ((submissions >= 0)),
    CONSTRAINT agent_categories_wins_check CHECK ((wins >= 0))
)
WITH (fillfactor='85');


--
-- Name: agent_counts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.agent_counts (
    stripe integer NOT NULL,
    agents bigint NOT NULL,
    CONSTRAINT agent_counts_agents_check CHECK ((agents >= 0)),
    CONSTRAINT agent_counts_stripe_check CHECK (((stripe >= 0) AND (stripe <= 63)))
);


--
-- Name: agent_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.agent_keys (
    id text NOT NULL,
    agent_id uuid NOT NULL,
    secret_hash bytea NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone,
    name text,
    scope text DEFAULT 'owner'::text NOT NULL,
    last_used_at timestamp(3) with time zone,
    CONSTRAINT agent_keys_scope_check CHECK ((scope = ANY (ARRAY['read'::text, 'enter'::text, 'owner'::text])))
);


--
-- Name: agent_sessions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.agent_sessions (
    id text NOT NULL,
    agent_id uuid NOT NULL,
    key_id text,
    wallet_address text,
    secret_hash bytea NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT agent_sessions_check CHECK (((key_id IS NULL) <> (wallet_address IS NULL))),
    CONSTRAINT agent_sessions_wallet_address_check CHECK ((wallet_address ~ '^0x[0-9a-f]{40}$'::text))
);


--
-- Name: agent_sign_in_challenges; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.agent_sign_in_challenges (
    nonce text NOT NULL,
    address text NOT NULL,
    message text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT agent_sign_in_challenges_address_check CHECK ((address ~ '^0x[0-9a-f]{40}$'::text))
);


--
-- Name: agent_tier_awards; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.agent_tier_awards (
    agent_id uuid NOT NULL,
    project_id uuid NOT NULL,
    poster_id uuid NOT NULL,
    funding_wallet text NOT NULL,
    won boolean NOT NULL,
    earned_micro bigint DEFAULT 0 NOT NULL,
    CONSTRAINT agent_tier_awards_earned_micro_check CHECK ((earned_micro >= 0))
);


--
-- Name: agents; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.agents (
    id uuid NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    model_info jsonb,
    specializations text[] NOT NULL,
    status text DEFAULT 'active'::text NOT NULL,
    status_reason text,
    status_until timestamp(3) with time zone,
    status_since timestamp(3) with time zone,
    tier text DEFAULT 'starter'::text NOT NULL,
    settings jsonb NOT NULL,
    wallet_address text,
    wallet_proven boolean DEFAULT false NOT NULL,
    wallet_linked_at timestamp(3) with time zone,
    pending_wallet text,
    pending_wallet_at timestamp(3) with time zone,
    total_projects integer DEFAULT 0 NOT NULL,
    total_wins integer DEFAULT 0 NOT NULL,
    total_submissions integer DEFAULT 0 NOT NULL,
    total_losses integer DEFAULT 0 NOT NULL,
    earned_micro bigint DEFAULT 0 NOT NULL,
    pending_micro bigint DEFAULT 0 NOT NULL,
    scored_count integer DEFAULT 0 NOT NULL,
    score_sum integer DEFAULT 0 NOT NULL,
    success_streak integer DEFAULT 0 NOT NULL,
    longest_streak integer DEFAULT 0 NOT NULL,
    terms_version text,
    budget_per_entry_micro bigint,
    budget_per_day_micro bigint,
    spent_on date,
    spent_micro bigint DEFAULT 0 NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    last_active_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT agents_budget_per_day_micro_check CHECK ((budget_per_day_micro >= 0)),
    CONSTRAINT agents_budget_per_entry_micro_check CHECK ((budget_per_entry_micro >= 0)),
    CONSTRAINT agents_check CHECK (((wallet_address IS NOT NULL) OR (NOT wallet_proven))),
    CONSTRAINT agents_check1 CHECK ((longest_streak >= success_streak)),
    CONSTRAINT agents_earned_micro_check CHECK ((earned_micro >= 0)),
    CONSTRAINT agents_linked CHECK (((NOT wallet_proven) OR (wallet_linked_at IS NOT NULL))),
    CONSTRAINT agents_pending_micro_check CHECK ((pending_micro >= 0)),
    CONSTRAINT agents_pending_wallet CHECK (((pending_wallet IS NULL) = (pending_wallet_at IS NULL))),
    CONSTRAINT agents_pending_wallet_check CHECK ((pending_wallet ~ '^0x[0-9a-f]{40}$'::text)),
    CONSTRAINT agents_score_sum_check CHECK ((score_sum >= 0)),
    CONSTRAINT agents_scored_count_check CHECK ((scored_count >= 0)),
    CONSTRAINT agents_spent_micro_check CHECK ((spent_micro >= 0)),
    CONSTRAINT agents_standing CHECK (((status <> 'active'::text) OR ((status_reason IS NULL) AND (status_until IS NULL)))),
    CONSTRAINT agents_status_check CHECK ((status = ANY (ARRAY['active'::text, 'limited'::text, 'suspended'::text, 'under_review'::text]))),
    CONSTRAINT agents_success_streak_check CHECK ((success_streak >= 0)),
    CONSTRAINT agents_tier_check CHECK ((tier = ANY (ARRAY['starter'::text, 'pro'::text, 'elite'::text]))),
    CONSTRAINT agents_total_losses_check CHECK ((total_losses >= 0)),
    CONSTRAINT agents_total_projects_check CHECK ((total_projects >= 0)),
    CONSTRAINT agents_total_submissions_check CHECK ((total_submissions >= 0)),
    CONSTRAINT agents_total_wins_check CHECK ((total_wins >= 0)),
    CONSTRAINT agents_wallet_address_check CHECK ((wallet_address ~ '^0x[0-9a-f]{40}$'::text))
)
WITH (fillfactor='85');


--
-- Name: ai_days; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ai_days (
    day date NOT NULL,
    tokens_used bigint NOT NULL,
    CONSTRAINT ai_days_tokens_used_check CHECK ((tokens_used >= 0))
);


--
-- Name: ai_judging; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ai_judging (
    project_id uuid NOT NULL,
    state text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    tokens_used bigint DEFAULT 0 NOT NULL,
    error text,
    due_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT ai_judging_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT ai_judging_state_check CHECK ((state = ANY (ARRAY['running'::text, 'scored'::text, 'impossible'::text]))),
    CONSTRAINT ai_judging_tokens_used_check CHECK ((tokens_used >= 0))
);


--
-- Name: ai_scores; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ai_scores (
    submission_id uuid NOT NULL,
    project_id uuid NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    score smallint,
    reason text,
    updated_at timestamp(3) with time zone NOT NULL,
    tokens_used bigint DEFAULT 0 NOT NULL,
    unscorable text,
    CONSTRAINT ai_scores_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT ai_scores_check CHECK (((score IS NULL) = (reason IS NULL))),
    CONSTRAINT ai_scores_score_check CHECK (((score >= 1) AND (score <= 5))),
    CONSTRAINT ai_scores_tokens_used_check CHECK ((tokens_used >= 0)),
    CONSTRAINT ai_scores_unscorable CHECK (((unscorable IS NULL) OR (score IS NULL)))
);


--
-- Name: audit_chain; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.audit_chain (
    seq bigint NOT NULL,
    id uuid NOT NULL,
    hash bytea NOT NULL
);


--
-- Name: audit_head; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.audit_head (
    only_row boolean DEFAULT true NOT NULL,
    last bigint DEFAULT 0 NOT NULL,
    hash bytea DEFAULT '\x'::bytea NOT NULL,
    CONSTRAINT audit_head_only_row_check CHECK (only_row)
);


--
-- Name: audit_trail; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.audit_trail (
    id uuid NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    subject text NOT NULL,
    reason text,
    details jsonb DEFAULT '{}'::jsonb NOT NULL
);


--
-- Name: audit_waiting; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.audit_waiting (
    place bigint NOT NULL,
    id uuid NOT NULL
);


--
-- Name: audit_waiting_place_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.audit_waiting ALTER COLUMN place ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_waiting_place_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: contradicted_projects; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.contradicted_projects (
    project_id uuid NOT NULL,
    tx_hash text NOT NULL,
    log_index integer NOT NULL,
    amount_micro bigint NOT NULL,
    found_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT contradicted_projects_amount_micro_check CHECK ((amount_micro > 0)),
    CONSTRAINT contradicted_projects_tx_hash_check CHECK ((tx_hash ~ '^0x[0-9a-f]{64}$'::text))
);


--
-- Name: earnings_ranks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.earnings_ranks (
    scope text NOT NULL,
    level integer NOT NULL,
    bucket bigint NOT NULL,
    agents integer NOT NULL,
    CONSTRAINT earnings_ranks_level_check CHECK (((level >= 0) AND (level <= 8)))
)
WITH (fillfactor='85');


--
-- Name: entry_notes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.entry_notes (
    submission_id uuid NOT NULL,
    mark text,
    feedback_draft text,
    updated_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT entry_notes_mark_check CHECK ((mark = ANY (ARRAY['shortlist'::text, 'out'::text])))
);


--
-- Name: event_consumers; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.event_consumers (
    name text NOT NULL,
    "position" bigint DEFAULT 0 NOT NULL
);


--
-- Name: event_head; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.event_head (
    only_row boolean DEFAULT true NOT NULL,
    last bigint DEFAULT 0 NOT NULL,
    removed bigint DEFAULT 0 NOT NULL,
    CONSTRAINT event_head_only_row_check CHECK (only_row)
);


--
-- Name: events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.events (
    written bigint NOT NULL,
    id uuid NOT NULL,
    stream text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL,
    occurred_at timestamp(3) with time zone NOT NULL,
    data json NOT NULL,
    visible_at timestamp(3) with time zone,
    seq bigint
);


--
-- Name: events_seen; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.events_seen (
    stream text NOT NULL COLLATE pg_catalog."C",
    seq bigint NOT NULL,
    seen_at timestamp(3) with time zone NOT NULL
);


--
-- Name: events_written_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.events ALTER COLUMN written ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.events_written_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: failed_payment_days; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.failed_payment_days (
    agent_id uuid NOT NULL,
    day date NOT NULL
);


--
-- Name: figure_checks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.figure_checks (
    day date NOT NULL,
    lease_until timestamp(3) with time zone NOT NULL,
    finished_at timestamp(3) with time zone,
    agents bigint DEFAULT 0 NOT NULL,
    mismatches integer DEFAULT 0 NOT NULL
);


--
-- Name: idempotency_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.idempotency_keys (
    id bytea NOT NULL,
    fingerprint bytea NOT NULL,
    answer bytea,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT idempotency_keys_fingerprint_check CHECK ((octet_length(fingerprint) = 32)),
    CONSTRAINT idempotency_keys_id_check CHECK ((octet_length(id) = 32))
);


--
-- Name: late_publications; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.late_publications (
    published_at timestamp(3) with time zone NOT NULL,
    listed_by timestamp(3) with time zone NOT NULL
);


--
-- Name: ledger_accounts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ledger_accounts (
    id text NOT NULL,
    side text NOT NULL,
    balance_micro bigint DEFAULT 0 NOT NULL,
    CONSTRAINT ledger_accounts_balance_micro_check CHECK ((balance_micro >= 0)),
    CONSTRAINT ledger_accounts_side_check CHECK ((side = ANY (ARRAY['debit'::text, 'credit'::text]))),
    CONSTRAINT ledger_treasury_is_summed CHECK (((id <> 'treasury'::text) OR (balance_micro = 0)))
);


--
-- Name: ledger_check_turn; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ledger_check_turn (
    single boolean DEFAULT true NOT NULL,
    due_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT ledger_check_turn_single_check CHECK (single)
);


--
-- Name: ledger_checks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ledger_checks (
    id uuid NOT NULL,
    checked_at timestamp(3) with time zone NOT NULL,
    balanced boolean NOT NULL,
    chain_matches boolean NOT NULL,
    problems text[] NOT NULL,
    block bigint NOT NULL,
    treasury_micro bigint,
    chain_micro bigint,
    owed_micro bigint
);


--
-- Name: ledger_entries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ledger_entries (
    journal_id uuid NOT NULL,
    line smallint NOT NULL,
    account_id text NOT NULL,
    amount_micro bigint NOT NULL,
    CONSTRAINT ledger_entries_amount_micro_check CHECK ((amount_micro <> 0)),
    CONSTRAINT ledger_entries_line_check CHECK ((line >= 1))
);


--
-- Name: ledger_journals; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ledger_journals (
    id uuid NOT NULL,
    kind text NOT NULL,
    payment_id uuid,
    booking smallint DEFAULT 1 NOT NULL,
    lines smallint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT ledger_journals_booking_check CHECK ((booking >= 1)),
    CONSTRAINT ledger_journals_lines_check CHECK ((lines >= 2))
);


--
-- Name: mail_contacts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.mail_contacts (
    account_kind text NOT NULL,
    account_id uuid NOT NULL,
    address text,
    verified_at timestamp(3) with time zone,
    pending_address text,
    link_hash bytea,
    link_expires_at timestamp(3) with time zone,
    types text[] NOT NULL,
    delivery text NOT NULL,
    unsubscribed_at timestamp(3) with time zone,
    refused_address text,
    refused_reason text,
    refused_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT mail_contacts_account_kind_check CHECK ((account_kind = ANY (ARRAY['agent'::text, 'poster'::text]))),
    CONSTRAINT mail_contacts_check CHECK (((address IS NULL) = (verified_at IS NULL))),
    CONSTRAINT mail_contacts_check1 CHECK ((num_nulls(pending_address, link_hash, link_expires_at) = ANY (ARRAY[0, 3]))),
    CONSTRAINT mail_contacts_check2 CHECK ((num_nulls(refused_address, refused_reason, refused_at) = ANY (ARRAY[0, 3]))),
    CONSTRAINT mail_contacts_delivery_check CHECK ((delivery = ANY (ARRAY['each'::text, 'daily'::text])))
);


--
-- Name: mail_digest_events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.mail_digest_events (
    account_kind text NOT NULL,
    account_id uuid NOT NULL,
    event_id uuid NOT NULL,
    event jsonb NOT NULL,
    due_at timestamp(3) with time zone NOT NULL
);


--
-- Name: mail_outbox; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.mail_outbox (
    id uuid NOT NULL,
    kind text NOT NULL,
    account_kind text NOT NULL,
    account_id uuid NOT NULL,
    address text NOT NULL,
    mailbox text NOT NULL,
    events jsonb DEFAULT '[]'::jsonb NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    due_at timestamp(3) with time zone,
    attempts smallint DEFAULT 0 NOT NULL,
    lease_until timestamp(3) with time zone,
    token uuid,
    sent_at timestamp(3) with time zone,
    failure text,
    CONSTRAINT mail_outbox_kind_check CHECK ((kind = ANY (ARRAY['verification'::text, 'events'::text])))
);


--
-- Name: media_files; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.media_files (
    id uuid NOT NULL,
    submission_id uuid NOT NULL,
    upload_key text NOT NULL,
    original_key text,
    original_name text NOT NULL,
    content_type text NOT NULL,
    size_bytes integer NOT NULL,
    status text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    completed_at timestamp with time zone,
    upload_removed boolean DEFAULT false NOT NULL,
    sha256 bytea,
    perceptual_hash bigint,
    compared boolean DEFAULT true NOT NULL,
    width integer,
    height integer,
    confirm_requested_at timestamp(3) with time zone,
    inspection_lease_until timestamp(3) with time zone,
    confirm_result_due boolean DEFAULT false NOT NULL,
    refused_reason text,
    item smallint DEFAULT 1 NOT NULL,
    confirm_items smallint,
    confirm_ended_at timestamp(3) with time zone,
    CONSTRAINT media_files_confirm_items_check CHECK (((confirm_items >= 1) AND (confirm_items <= 20))),
    CONSTRAINT media_files_item_check CHECK (((item >= 1) AND (item <= 20))),
    CONSTRAINT media_files_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'completed'::text, 'superseded'::text, 'refused'::text])))
);


--
-- Name: objections; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.objections (
    id uuid NOT NULL,
    project_id uuid NOT NULL,
    submission_id uuid NOT NULL,
    agent_id uuid NOT NULL,
    reason text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    decision text,
    decision_reason text,
    decided_at timestamp(3) with time zone,
    CONSTRAINT objections_decided CHECK (((decision IS NULL) = (decided_at IS NULL))),
    CONSTRAINT objections_decision_check CHECK ((decision = ANY (ARRAY['upheld'::text, 'dismissed'::text, 'lapsed'::text])))
);


--
-- Name: operator_approvals; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.operator_approvals (
    id uuid NOT NULL,
    operation text NOT NULL,
    subject text NOT NULL,
    input jsonb NOT NULL,
    fingerprint bytea NOT NULL,
    amount_micro bigint NOT NULL,
    state text DEFAULT 'pending'::text NOT NULL,
    requested_by text NOT NULL,
    requested_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    decided_by text,
    decided_at timestamp(3) with time zone,
    reason text,
    CONSTRAINT operator_approvals_amount_micro_check CHECK ((amount_micro >= 0)),
    CONSTRAINT operator_approvals_check CHECK ((((state = 'pending'::text) = (decided_by IS NULL)) AND ((decided_by IS NULL) = (decided_at IS NULL)))),
    CONSTRAINT operator_approvals_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text]))),
    CONSTRAINT operator_approvals_two_people CHECK (((state <> 'approved'::text) OR (decided_by <> requested_by)))
);


--
-- Name: operator_sessions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.operator_sessions (
    id text NOT NULL,
    operator_id uuid,
    shared_key_hash bytea,
    secret_hash bytea NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT operator_sessions_check CHECK (((operator_id IS NULL) <> (shared_key_hash IS NULL)))
);


--
-- Name: operators; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.operators (
    id uuid NOT NULL,
    name text NOT NULL,
    key_id text NOT NULL,
    secret_hash bytea NOT NULL,
    scopes text[] NOT NULL,
    added_by text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone,
    revoked_at timestamp(3) with time zone,
    code_secret bytea,
    code_confirmed_at timestamp(3) with time zone,
    code_step bigint DEFAULT 0 NOT NULL,
    code_failures integer DEFAULT 0 NOT NULL,
    code_failed_at timestamp(3) with time zone,
    CONSTRAINT operators_check CHECK (((code_confirmed_at IS NULL) OR (code_secret IS NOT NULL))),
    CONSTRAINT operators_name_check CHECK ((name ~ '^[a-z][a-z0-9._-]{1,31}$'::text)),
    CONSTRAINT operators_scopes_check CHECK (((scopes <@ ARRAY['read'::text, 'support'::text, 'money'::text, 'admin'::text]) AND (scopes <> '{}'::text[])))
);


--
-- Name: originality_flags; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.originality_flags (
    id uuid NOT NULL,
    submission_id uuid NOT NULL,
    agent_id uuid NOT NULL,
    other_submission_id uuid NOT NULL,
    other_agent_id uuid NOT NULL,
    kind text NOT NULL,
    distance smallint NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    decision text,
    decision_reason text,
    decided_at timestamp(3) with time zone,
    item smallint DEFAULT 1 NOT NULL,
    other_item smallint DEFAULT 1 NOT NULL,
    CONSTRAINT originality_flags_check CHECK ((agent_id <> other_agent_id)),
    CONSTRAINT originality_flags_check1 CHECK ((((decision IS NULL) = (decision_reason IS NULL)) AND ((decision IS NULL) = (decided_at IS NULL)))),
    CONSTRAINT originality_flags_decision_check CHECK ((decision = ANY (ARRAY['dismissed'::text, 'upheld'::text, 'under_review'::text]))),
    CONSTRAINT originality_flags_distance_check CHECK (((distance >= 0) AND (distance <= 64))),
    CONSTRAINT originality_flags_item_check CHECK (((item >= 1) AND (item <= 20))),
    CONSTRAINT originality_flags_kind_check CHECK ((kind = ANY (ARRAY['exact'::text, 'near'::text]))),
    CONSTRAINT originality_flags_other_item_check CHECK (((other_item >= 1) AND (other_item <= 20)))
);


--
-- Name: payment_days; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.payment_days (
    day date NOT NULL,
    kind text NOT NULL,
    payments integer NOT NULL,
    amount_micro bigint NOT NULL,
    CONSTRAINT payment_days_amount_micro_check CHECK ((amount_micro >= 0)),
    CONSTRAINT payment_days_kind_check CHECK ((kind = ANY (ARRAY['entry_fee'::text, 'escrow'::text, 'payout'::text, 'refund'::text]))),
    CONSTRAINT payment_days_payments_check CHECK ((payments >= 0))
);


--
-- Name: payments; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.payments (
    id uuid NOT NULL,
    kind text NOT NULL,
    subject_id uuid NOT NULL,
    network text NOT NULL,
    asset text NOT NULL,
    payer text NOT NULL,
    pay_to text NOT NULL,
    amount_micro bigint NOT NULL,
    auth_nonce text NOT NULL,
    valid_before bigint NOT NULL,
    x402_version smallint NOT NULL,
    payload jsonb NOT NULL,
    requirements jsonb NOT NULL,
    signature bytea,
    from_block bigint NOT NULL,
    state text NOT NULL,
    late boolean DEFAULT false NOT NULL,
    tx_hash text,
    log_index integer,
    block_number bigint,
    error text,
    forwarded_for text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    settled_at timestamp with time zone,
    watched boolean DEFAULT true NOT NULL,
    lease_until timestamp with time zone,
    sweep_at timestamp with time zone NOT NULL,
    sweeps integer DEFAULT 0 NOT NULL,
    terms_hash text,
    vanished_from text,
    CONSTRAINT payments_amount_micro_check CHECK ((amount_micro > 0)),
    CONSTRAINT payments_asset_check CHECK ((asset ~ '^0x[0-9a-f]{40}$'::text)),
    CONSTRAINT payments_auth_nonce_check CHECK ((auth_nonce ~ '^0x[0-9a-f]{64}$'::text)),
    CONSTRAINT payments_check CHECK (((state <> 'settled'::text) OR ((tx_hash IS NOT NULL) AND (log_index IS NOT NULL) AND (block_number IS NOT NULL) AND (settled_at IS NOT NULL)))),
    CONSTRAINT payments_check1 CHECK (((state = 'settled'::text) OR (NOT late))),
    CONSTRAINT payments_kind_check CHECK ((kind = ANY (ARRAY['entry_fee'::text, 'escrow'::text, 'payout'::text, 'refund'::text]))),
    CONSTRAINT payments_pay_to_check CHECK ((pay_to ~ '^0x[0-9a-f]{40}$'::text)),
    CONSTRAINT payments_payer_check CHECK ((payer ~ '^0x[0-9a-f]{40}$'::text)),
    CONSTRAINT payments_state_check CHECK ((state = ANY (ARRAY['settling'::text, 'settled'::text, 'failed'::text]))),
    CONSTRAINT payments_tx_hash_check CHECK ((tx_hash ~ '^0x[0-9a-f]{64}$'::text)),
    CONSTRAINT payments_x402_version_check CHECK ((x402_version = ANY (ARRAY[1, 2])))
);


--
-- Name: payouts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.payouts (
    id uuid NOT NULL,
    reference text NOT NULL,
    kind text NOT NULL,
    project_id uuid,
    submission_id uuid,
    agent_id uuid,
    payment_id uuid,
    amount_micro bigint NOT NULL,
    debit_account text NOT NULL,
    recipient text,
    state text NOT NULL,
    note text,
    released boolean DEFAULT false NOT NULL,
    due_at timestamp(3) with time zone NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    sent_at timestamp(3) with time zone,
    settled_at timestamp(3) with time zone,
    tx_hash text,
    poster_id uuid,
    deposited_at timestamp(3) with time zone,
    held_until timestamp(3) with time zone,
    credited_at timestamp(3) with time zone,
    sent_with uuid,
    recovered_at timestamp(3) with time zone,
    CONSTRAINT payouts_amount_micro_check CHECK ((amount_micro > 0)),
    CONSTRAINT payouts_check1 CHECK (((kind = 'refund'::text) = (payment_id IS NOT NULL))),
    CONSTRAINT payouts_check2 CHECK (((recipient IS NULL) = (state = 'waiting'::text))),
    CONSTRAINT payouts_check3 CHECK (((state = ANY (ARRAY['sending'::text, 'settled'::text])) = (sent_at IS NOT NULL))),
    CONSTRAINT payouts_check4 CHECK ((((state = 'settled'::text) = (settled_at IS NOT NULL)) AND ((state = 'settled'::text) = (tx_hash IS NOT NULL)))),
    CONSTRAINT payouts_credited CHECK (((state <> 'credited'::text) OR (credited_at IS NOT NULL))),
    CONSTRAINT payouts_for_whom CHECK (((kind = ANY (ARRAY['refund'::text, 'withdrawal'::text, 'return'::text])) OR ((project_id IS NOT NULL) AND (submission_id IS NOT NULL) AND (agent_id IS NOT NULL)))),
    CONSTRAINT payouts_held_until CHECK (((held_until IS NULL) OR (state = 'held'::text))),
    CONSTRAINT payouts_kind_check CHECK ((kind = ANY (ARRAY['prize'::text, 'share'::text, 'refund'::text, 'withdrawal'::text, 'return'::text]))),
    CONSTRAINT payouts_recipient_check CHECK ((recipient ~ '^0x[0-9a-f]{40}$'::text)),
    CONSTRAINT payouts_sent_with CHECK (((sent_with IS NULL) OR ((credited_at IS NOT NULL) AND (state = ANY (ARRAY['sending'::text, 'settled'::text]))))),
    CONSTRAINT payouts_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'held'::text, 'ready'::text, 'refused'::text, 'credited'::text, 'sending'::text, 'settled'::text]))),
    CONSTRAINT payouts_tx_hash_check CHECK ((tx_hash ~ '^0x[0-9a-f]{64}$'::text))
);


--
-- Name: poster_directory; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.poster_directory (
    poster_id uuid NOT NULL,
    name_key text NOT NULL COLLATE pg_catalog."C",
    suspended_at timestamp(3) with time zone,
    suspend_reason text,
    CONSTRAINT poster_directory_suspended CHECK (((suspended_at IS NULL) = (suspend_reason IS NULL)))
);


--
-- Name: poster_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.poster_keys (
    id text NOT NULL,
    poster_id uuid NOT NULL,
    secret_hash bytea NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone,
    name text,
    scope text DEFAULT 'full'::text NOT NULL,
    last_used_at timestamp(3) with time zone,
    CONSTRAINT poster_keys_scope_check CHECK ((scope = ANY (ARRAY['read'::text, 'full'::text])))
);


--
-- Name: poster_sessions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.poster_sessions (
    id text NOT NULL,
    poster_id uuid NOT NULL,
    key_id text,
    secret_hash bytea NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL
);


--
-- Name: posters; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.posters (
    id uuid NOT NULL,
    name text NOT NULL,
    email text,
    wallet_address text,
    terms_version text,
    created_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT posters_wallet_address_check CHECK ((wallet_address ~ '^0x[0-9a-f]{40}$'::text))
);


--
-- Name: project_counts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.project_counts (
    status text NOT NULL,
    stripe integer NOT NULL,
    projects bigint NOT NULL,
    CONSTRAINT project_counts_projects_check CHECK ((projects >= 0)),
    CONSTRAINT project_counts_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'open'::text, 'judging'::text, 'completed'::text, 'cancelled'::text]))),
    CONSTRAINT project_counts_stripe_check CHECK (((stripe >= 0) AND (stripe <= 15)))
);


--
-- Name: project_listings; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.project_listings (
    published_at timestamp(3) with time zone NOT NULL,
    prize_micro bigint NOT NULL,
    entry_fee_micro bigint NOT NULL,
    visible_at timestamp(3) with time zone NOT NULL,
    project_id uuid NOT NULL,
    status text NOT NULL COLLATE pg_catalog."C",
    spec_key text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE ONLY public.project_listings ALTER COLUMN project_id SET (n_distinct=-1);
ALTER TABLE ONLY public.project_listings ALTER COLUMN spec_key SET (n_distinct=20);


--
-- Name: project_references; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.project_references (
    id bigint NOT NULL,
    picture_id uuid NOT NULL,
    project_id uuid,
    poster_id uuid NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    frozen boolean DEFAULT false NOT NULL
);


--
-- Name: project_references_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.project_references ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.project_references_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: project_terms; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.project_terms (
    project_id uuid NOT NULL,
    version integer NOT NULL,
    canonical text NOT NULL,
    hash text NOT NULL,
    reason text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT project_terms_hashed CHECK ((hash = ('sha256:'::text || encode(sha256(convert_to(canonical, 'UTF8'::name)), 'hex'::text)))),
    CONSTRAINT project_terms_reason_check CHECK ((reason = ANY (ARRAY['opened'::text, 'deadline_moved'::text, 'closes_early'::text, 'places_raised'::text]))),
    CONSTRAINT project_terms_version_check CHECK ((version >= 1))
);


--
-- Name: project_transitions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.project_transitions (
    project_id uuid NOT NULL,
    from_status text NOT NULL,
    to_status text NOT NULL,
    actor text NOT NULL,
    reason text,
    at timestamp(3) with time zone NOT NULL
);


--
-- Name: projects; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.projects (
    id uuid NOT NULL,
    poster_id uuid NOT NULL,
    title text NOT NULL,
    description text NOT NULL,
    requirements text NOT NULL,
    project_type_id text DEFAULT 'image'::text NOT NULL,
    prize_micro bigint NOT NULL,
    entry_fee_micro bigint NOT NULL,
    platform_fee_ppm integer NOT NULL,
    specializations text[] NOT NULL,
    item_count integer NOT NULL,
    style_references text[] NOT NULL,
    color_preferences text[] NOT NULL,
    size_requirements text NOT NULL,
    tags text[] NOT NULL,
    ai_analysis jsonb NOT NULL,
    auto_select_deadline timestamp(3) with time zone NOT NULL,
    judging_hours integer NOT NULL,
    status text NOT NULL,
    cancel_reason text,
    winner_submission_id uuid,
    total_submissions integer DEFAULT 0 NOT NULL,
    network text,
    asset text,
    pay_to text,
    funding_wallet text,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    published_at timestamp(3) with time zone,
    visible_at timestamp(3) with time zone,
    closed_at timestamp(3) with time zone,
    judging_ends_at timestamp(3) with time zone,
    awarded_at timestamp(3) with time zone,
    selection text,
    completed_at timestamp(3) with time zone,
    due_at timestamp(3) with time zone,
    card text NOT NULL,
    terms smallint DEFAULT 2 NOT NULL,
    latest_deadline timestamp(3) with time zone,
    extended_at timestamp(3) with time zone,
    close_requested_at timestamp(3) with time zone,
    closes_at timestamp(3) with time zone,
    cancelled_at timestamp(3) with time zone,
    cancelled_by text,
    max_entries integer,
    places_taken integer DEFAULT 0 NOT NULL,
    held_at timestamp(3) with time zone,
    held_selection text,
    held_winner_id uuid,
    hold_ends_at timestamp(3) with time zone,
    held_until timestamp(3) with time zone,
    hold_reason text,
    fee_kept boolean DEFAULT false NOT NULL,
    licence text,
    gallery text DEFAULT 'public'::text NOT NULL,
    terms_version integer,
    terms_hash text,
    confirm_grace_seconds integer,
    planned_winner_id uuid,
    place_hold_seconds integer,
    no_winner_reason text,
    CONSTRAINT projects_asset_check CHECK ((asset ~ '^0x[0-9a-f]{40}$'::text)),
    CONSTRAINT projects_award CHECK (((awarded_at IS NULL) = (selection IS NULL))),
    CONSTRAINT projects_cancelled_by_check CHECK ((cancelled_by = ANY (ARRAY['poster'::text, 'operator'::text, 'timer'::text]))),
    CONSTRAINT projects_check CHECK (((status = ANY (ARRAY['draft'::text, 'cancelled'::text])) OR ((published_at IS NOT NULL) AND (visible_at IS NOT NULL) AND (network IS NOT NULL) AND (asset IS NOT NULL) AND (pay_to IS NOT NULL) AND (funding_wallet IS NOT NULL)))),
    CONSTRAINT projects_confirm_grace_seconds_check CHECK ((confirm_grace_seconds >= 0)),
    CONSTRAINT projects_entry_fee_micro_check CHECK ((entry_fee_micro >= 0)),
    CONSTRAINT projects_fee_kept CHECK (((NOT fee_kept) OR (status = 'cancelled'::text))),
    CONSTRAINT projects_funding_wallet_check CHECK ((funding_wallet ~ '^0x[0-9a-f]{40}$'::text)),
    CONSTRAINT projects_gallery_check CHECK ((gallery = ANY (ARRAY['public'::text, 'winner_only'::text, 'private'::text]))),
    CONSTRAINT projects_held CHECK ((((held_at IS NULL) = (held_selection IS NULL)) AND ((held_at IS NULL) = (hold_ends_at IS NULL)) AND ((held_at IS NOT NULL) OR ((held_winner_id IS NULL) AND (held_until IS NULL) AND (hold_reason IS NULL))))),
    CONSTRAINT projects_held_selection_check CHECK ((held_selection = ANY (ARRAY['ai'::text, 'silence'::text]))),
    CONSTRAINT projects_licence_check CHECK ((licence = ANY (ARRAY['assignment'::text, 'exclusive'::text, 'CC-BY-4.0'::text, 'CC0-1.0'::text]))),
    CONSTRAINT projects_max_entries_check CHECK (((max_entries >= 2) AND (max_entries <= 10000))),
    CONSTRAINT projects_pay_to_check CHECK ((pay_to ~ '^0x[0-9a-f]{40}$'::text)),
    CONSTRAINT projects_places_taken_check CHECK ((places_taken >= 0)),
    CONSTRAINT projects_platform_fee_ppm_check CHECK (((platform_fee_ppm >= 0) AND (platform_fee_ppm <= 1000000))),
    CONSTRAINT projects_prize_micro_check CHECK ((prize_micro > 0)),
    CONSTRAINT projects_project_type_id_check CHECK ((project_type_id = 'image'::text)),
    CONSTRAINT projects_selection_check CHECK ((selection = ANY (ARRAY['poster'::text, 'scores'::text, 'ai'::text, 'split'::text, 'silence'::text, 'operator'::text, 'shared'::text]))),
    CONSTRAINT projects_specializations_check CHECK (((cardinality(specializations) >= 1) AND (cardinality(specializations) <= 5))),
    CONSTRAINT projects_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'open'::text, 'judging'::text, 'completed'::text, 'cancelled'::text]))),
    CONSTRAINT projects_terms_check CHECK ((terms = ANY (ARRAY[1, 2]))),
    CONSTRAINT projects_terms_hashed CHECK (((terms_version IS NULL) = (terms_hash IS NULL))),
    CONSTRAINT projects_terms_version_check CHECK ((terms_version >= 1)),
    CONSTRAINT projects_total_submissions_check CHECK ((total_submissions >= 0))
)
WITH (toast_tuple_target='4080');


--
-- Name: publication_clock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.publication_clock (
    only_row boolean DEFAULT true NOT NULL,
    newest_at timestamp(3) with time zone NOT NULL,
    unconfirmed_at timestamp(3) with time zone,
    CONSTRAINT publication_clock_only_row_check CHECK (only_row)
);


--
-- Name: questions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.questions (
    id uuid NOT NULL,
    project_id uuid NOT NULL,
    agent_id uuid NOT NULL,
    question text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    answer text,
    answered_at timestamp(3) with time zone,
    answer_changed_at timestamp(3) with time zone,
    answer_changes integer DEFAULT 0 NOT NULL,
    hidden_at timestamp(3) with time zone,
    hidden_reason text,
    CONSTRAINT questions_check CHECK (((answer IS NULL) = (answered_at IS NULL))),
    CONSTRAINT questions_check1 CHECK (((hidden_at IS NULL) = (hidden_reason IS NULL)))
);


--
-- Name: recovery_state; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.recovery_state (
    single boolean DEFAULT true NOT NULL,
    needed_since timestamp(3) with time zone,
    reason text,
    recovered_until bigint,
    recovered_at timestamp(3) with time zone,
    CONSTRAINT recovery_state_check CHECK (((needed_since IS NULL) = (reason IS NULL))),
    CONSTRAINT recovery_state_single_check CHECK (single)
);


--
-- Name: reference_pictures; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.reference_pictures (
    id uuid NOT NULL,
    file_name text NOT NULL,
    content_type text NOT NULL,
    size_bytes integer NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    upload_removed boolean DEFAULT false NOT NULL,
    inspect_until timestamp(3) with time zone,
    width integer,
    height integer,
    sha256 bytea,
    confirmed_at timestamp(3) with time zone,
    CONSTRAINT reference_pictures_check CHECK ((((confirmed_at IS NULL) = (sha256 IS NULL)) AND ((sha256 IS NULL) = (width IS NULL)) AND ((width IS NULL) = (height IS NULL)))),
    CONSTRAINT reference_pictures_sha256_check CHECK ((length(sha256) = 32))
);


--
-- Name: sign_in_challenges; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sign_in_challenges (
    nonce text NOT NULL,
    address text NOT NULL,
    message text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT sign_in_challenges_address_check CHECK ((address ~ '^0x[0-9a-f]{40}$'::text))
);


--
-- Name: signer_lanes; Type: TABLE; Schema: public; Owner: -
--

CREATE UNLOGGED TABLE public.signer_lanes (
    address text NOT NULL,
    holder text NOT NULL,
    lease_until timestamp with time zone NOT NULL,
    backend_pid integer,
    backend_start timestamp with time zone
);


--
-- Name: stray_transfers; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.stray_transfers (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    network text NOT NULL,
    tx_hash text NOT NULL,
    log_index integer NOT NULL,
    sender text NOT NULL,
    amount_micro bigint NOT NULL,
    block_number bigint NOT NULL,
    recorded_at timestamp(3) with time zone NOT NULL,
    payment_id uuid,
    returned_at timestamp(3) with time zone,
    CONSTRAINT stray_transfers_amount_micro_check CHECK ((amount_micro > 0)),
    CONSTRAINT stray_transfers_one_owner CHECK (((returned_at IS NULL) OR (payment_id IS NULL)))
);


--
-- Name: submissions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.submissions (
    id uuid NOT NULL,
    project_id uuid NOT NULL,
    agent_id uuid NOT NULL,
    title text NOT NULL,
    description text,
    status text NOT NULL,
    categories text[] NOT NULL,
    entry_fee_paid_micro bigint DEFAULT 0 NOT NULL,
    generation_time_seconds integer,
    created_at timestamp with time zone NOT NULL,
    submitted_at timestamp with time zone,
    score smallint,
    score_source text,
    feedback text,
    scored_at timestamp(3) with time zone,
    disqualified_at timestamp(3) with time zone,
    disqualify_reason text,
    outcome text,
    rank integer,
    earnings_micro bigint DEFAULT 0 NOT NULL,
    decided_at timestamp(3) with time zone,
    paid_at timestamp(3) with time zone,
    withdrawn_at timestamp(3) with time zone,
    place_until timestamp(3) with time zone,
    service_failed_at timestamp(3) with time zone,
    CONSTRAINT submissions_decided CHECK (((outcome IS NULL) = (decided_at IS NULL))),
    CONSTRAINT submissions_disqualified CHECK (((disqualified_at IS NULL) = (disqualify_reason IS NULL))),
    CONSTRAINT submissions_earned CHECK (((earnings_micro = 0) OR (outcome = ANY (ARRAY['won'::text, 'shared'::text])))),
    CONSTRAINT submissions_earnings_micro_check CHECK ((earnings_micro >= 0)),
    CONSTRAINT submissions_outcome_check CHECK ((outcome = ANY (ARRAY['won'::text, 'lost'::text, 'shared'::text, 'cancelled'::text]))),
    CONSTRAINT submissions_rank_check CHECK ((rank >= 1)),
    CONSTRAINT submissions_score_check CHECK (((score >= 1) AND (score <= 5))),
    CONSTRAINT submissions_score_source_check CHECK ((score_source = ANY (ARRAY['poster'::text, 'ai'::text]))),
    CONSTRAINT submissions_scored CHECK ((((score IS NULL) = (score_source IS NULL)) AND ((score IS NULL) = (scored_at IS NULL)))),
    CONSTRAINT submissions_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'submitted'::text, 'withdrawn'::text]))),
    CONSTRAINT submissions_withdrawn CHECK (((status = 'withdrawn'::text) = (withdrawn_at IS NOT NULL)))
);


--
-- Name: withdrawal_addresses; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.withdrawal_addresses (
    address text NOT NULL,
    added_by text NOT NULL,
    reason text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    usable_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT withdrawal_addresses_address_check CHECK ((address ~ '^0x[0-9a-f]{40}$'::text))
);


--
-- Name: signer_transfers; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.signer_transfers AS
 SELECT o.id AS payout_id,
    o.kind,
    o.reference,
    o.state,
    o.recipient,
    o.amount_micro,
    o.project_id,
    o.submission_id,
    o.released,
    carried.amount_micro AS carried_micro,
    carried.all_fit AS carried_fits,
    p.state AS payment_state,
    p.network,
    p.asset,
    p.payer,
    p.pay_to,
    p.amount_micro AS payment_micro,
    p.auth_nonce,
    (j.id IS NOT NULL) AS has_project,
    (j.awarded_at IS NOT NULL) AS is_awarded,
    j.prize_micro,
    j.winner_submission_id,
    s.outcome AS submission_outcome,
    s.earnings_micro,
    (s.agent_id = o.agent_id) AS is_of_agent,
    from_escrow.amount_micro AS from_escrow_micro,
    r.state AS paid_state,
    r.payer AS paid_by,
    r.amount_micro AS paid_micro,
    r.id AS paid_id,
    t.id AS stray_id,
    t.sender AS stray_sender,
    t.amount_micro AS stray_micro,
    ((t.returned_at IS NOT NULL) AND (t.payment_id IS NULL)) AS is_returned,
    w.usable_at AS address_usable_at,
    (EXISTS ( SELECT 1
           FROM public.audit_trail a
          WHERE ((a.subject = ('payout:'::text || o.id)) AND (a.action = 'payout.release'::text)))) AS release_recorded,
    ( SELECT max(v.amount_micro) AS max
           FROM public.operator_approvals v
          WHERE ((v.state = 'approved'::text) AND (((o.kind = 'withdrawal'::text) AND (v.subject = ('address:'::text || o.recipient))) OR ((o.kind <> 'withdrawal'::text) AND (v.subject = ANY (ARRAY[('payout:'::text || o.id), ('project:'::text || o.project_id), 'payouts'::text])))))) AS approved_micro,
    ((EXISTS ( SELECT 1
           FROM public.recovery_state
          WHERE (recovery_state.needed_since IS NOT NULL))) OR (NOT COALESCE(( SELECT (c.balanced AND c.chain_matches)
           FROM public.ledger_checks c
          ORDER BY c.checked_at DESC, c.id DESC
         LIMIT 1), true))) AS is_stopped,
    (((o.debit_account = ('escrow:'::text || o.project_id)) OR (o.debit_account = ('fees:'::text || o.project_id))) AND (EXISTS ( SELECT 1
           FROM public.contradicted_projects x
          WHERE (x.project_id = o.project_id)))) AS is_contradicted,
    withdrawn.amount_micro AS withdrawn_micro,
    approved.amount_micro AS withdrawn_approved_micro
   FROM ((((((((((public.payouts o
     CROSS JOIN LATERAL ( SELECT (COALESCE(sum(c.amount_micro), (0)::numeric))::bigint AS amount_micro,
            COALESCE(bool_and(((c.recipient = o.recipient) AND (c.state = 'sending'::text) AND (c.credited_at IS NOT NULL))), true) AS all_fit
           FROM public.payouts c
          WHERE (c.sent_with = o.id)) carried)
     JOIN public.payments p ON (((p.subject_id = o.id) AND (p.state = ANY (ARRAY['settling'::text, 'settled'::text])) AND (NOT p.late) AND (p.kind =
        CASE
            WHEN (o.kind = ANY (ARRAY['refund'::text, 'return'::text])) THEN 'refund'::text
            ELSE 'payout'::text
        END))))
     LEFT JOIN public.projects j ON ((j.id = o.project_id)))
     LEFT JOIN public.submissions s ON (((s.id = o.submission_id) AND (s.project_id = o.project_id))))
     CROSS JOIN LATERAL ( SELECT (COALESCE(sum(e.amount_micro), (0)::numeric))::bigint AS amount_micro
           FROM public.payouts e
          WHERE ((e.project_id = o.project_id) AND (e.debit_account = ('escrow:'::text || o.project_id)))) from_escrow)
     LEFT JOIN public.payments r ON (((r.id = o.payment_id) AND (r.kind = ANY (ARRAY['entry_fee'::text, 'escrow'::text])))))
     LEFT JOIN public.stray_transfers t ON ((t.id =
        CASE
            WHEN ((o.kind = 'return'::text) AND (o.reference ~ '^stray:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'::text)) THEN (substr(o.reference, 7))::uuid
            ELSE NULL::uuid
        END)))
     LEFT JOIN public.withdrawal_addresses w ON (((o.kind = 'withdrawal'::text) AND (w.address = o.recipient))))
     CROSS JOIN LATERAL ( SELECT (COALESCE(sum(d.amount_micro), (0)::numeric))::bigint AS amount_micro
           FROM public.payouts d
          WHERE ((o.kind = 'withdrawal'::text) AND (d.kind = 'withdrawal'::text) AND (d.created_at >= date_trunc('day'::text, o.created_at, 'UTC'::text)) AND (d.created_at <= o.created_at))) withdrawn)
     CROSS JOIN LATERAL ( SELECT (COALESCE(sum(v.amount_micro), (0)::numeric))::bigint AS amount_micro
           FROM public.operator_approvals v
          WHERE ((o.kind = 'withdrawal'::text) AND (v.operation = 'withdrawRevenue'::text) AND (v.state = 'approved'::text) AND (v.decided_at >= (date_trunc('day'::text, o.created_at, 'UTC'::text) - '00:01:00'::interval)) AND (v.requested_at >= (o.created_at - '7 days'::interval)))) approved);


--
-- Name: specializations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.specializations (
    id text NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    category text NOT NULL,
    active boolean DEFAULT true NOT NULL,
    CONSTRAINT specializations_category_check CHECK ((category = ANY (ARRAY['Design'::text, 'Art'::text, 'Marketing'::text, 'Symbols & Corporate'::text])))
);


--
-- Name: treasury_scans; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.treasury_scans (
    network text NOT NULL,
    treasury text NOT NULL,
    asset text NOT NULL,
    block_number bigint NOT NULL
);


--
-- Name: wallet_challenges; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.wallet_challenges (
    nonce text NOT NULL,
    agent_id uuid NOT NULL,
    address text NOT NULL,
    message text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT wallet_challenges_address_check CHECK ((address ~ '^0x[0-9a-f]{40}$'::text))
);


--
-- Name: webhook_attempts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_attempts (
    event_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    number smallint NOT NULL,
    outcome text NOT NULL,
    failure text,
    status smallint,
    latency_ms integer NOT NULL,
    answer text,
    CONSTRAINT webhook_attempts_outcome_check CHECK ((outcome = ANY (ARRAY['delivered'::text, 'failed'::text])))
)
PARTITION BY RANGE (at);


--
-- Name: webhook_attempts_20261127; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_attempts_20261127 (
    event_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    number smallint NOT NULL,
    outcome text NOT NULL,
    failure text,
    status smallint,
    latency_ms integer NOT NULL,
    answer text,
    CONSTRAINT webhook_attempts_outcome_check CHECK ((outcome = ANY (ARRAY['delivered'::text, 'failed'::text])))
);


--
-- Name: webhook_attempts_20261128; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_attempts_20261128 (
    event_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    number smallint NOT NULL,
    outcome text NOT NULL,
    failure text,
    status smallint,
    latency_ms integer NOT NULL,
    answer text,
    CONSTRAINT webhook_attempts_outcome_check CHECK ((outcome = ANY (ARRAY['delivered'::text, 'failed'::text])))
);


--
-- Name: webhook_attempts_20261129; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_attempts_20261129 (
    event_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    number smallint NOT NULL,
    outcome text NOT NULL,
    failure text,
    status smallint,
    latency_ms integer NOT NULL,
    answer text,
    CONSTRAINT webhook_attempts_outcome_check CHECK ((outcome = ANY (ARRAY['delivered'::text, 'failed'::text])))
);


--
-- Name: webhook_attempts_20261130; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_attempts_20261130 (
    event_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    number smallint NOT NULL,
    outcome text NOT NULL,
    failure text,
    status smallint,
    latency_ms integer NOT NULL,
    answer text,
    CONSTRAINT webhook_attempts_outcome_check CHECK ((outcome = ANY (ARRAY['delivered'::text, 'failed'::text])))
);


--
-- Name: webhook_attempts_20261201; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_attempts_20261201 (
    event_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    number smallint NOT NULL,
    outcome text NOT NULL,
    failure text,
    status smallint,
    latency_ms integer NOT NULL,
    answer text,
    CONSTRAINT webhook_attempts_outcome_check CHECK ((outcome = ANY (ARRAY['delivered'::text, 'failed'::text])))
);


--
-- Name: webhook_attempts_other; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_attempts_other (
    event_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    number smallint NOT NULL,
    outcome text NOT NULL,
    failure text,
    status smallint,
    latency_ms integer NOT NULL,
    answer text,
    CONSTRAINT webhook_attempts_outcome_check CHECK ((outcome = ANY (ARRAY['delivered'::text, 'failed'::text])))
);


--
-- Name: webhook_events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_events (
    id uuid NOT NULL,
    kind text NOT NULL,
    project_id uuid,
    body text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    visible_at timestamp(3) with time zone,
    CONSTRAINT webhook_events_kind_check CHECK ((kind = ANY (ARRAY['PROJECT.OPEN'::text, 'WALLET.CHANGE'::text, 'TEST'::text])))
);


--
-- Name: webhook_fan_outs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_fan_outs (
    event_id uuid NOT NULL,
    shard smallint NOT NULL,
    due_at timestamp(3) with time zone NOT NULL,
    after uuid,
    attempted integer DEFAULT 0 NOT NULL,
    lease_until timestamp(3) with time zone,
    token uuid,
    done_at timestamp(3) with time zone
);


--
-- Name: webhook_retries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_retries (
    event_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    day date NOT NULL,
    retries smallint DEFAULT 0 NOT NULL,
    lane text NOT NULL,
    priority smallint NOT NULL,
    due_at timestamp(3) with time zone,
    lease_until timestamp(3) with time zone,
    token uuid,
    dead_at timestamp(3) with time zone,
    delivered_at timestamp(3) with time zone,
    replayed boolean DEFAULT false NOT NULL,
    stream text,
    CONSTRAINT webhook_retries_lane_check CHECK ((lane = ANY (ARRAY['retry'::text, 'slow'::text])))
)
PARTITION BY RANGE (day);


--
-- Name: webhook_retries_20261127; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_retries_20261127 (
    event_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    day date NOT NULL,
    retries smallint DEFAULT 0 NOT NULL,
    lane text NOT NULL,
    priority smallint NOT NULL,
    due_at timestamp(3) with time zone,
    lease_until timestamp(3) with time zone,
    token uuid,
    dead_at timestamp(3) with time zone,
    delivered_at timestamp(3) with time zone,
    replayed boolean DEFAULT false NOT NULL,
    stream text,
    CONSTRAINT webhook_retries_lane_check CHECK ((lane = ANY (ARRAY['retry'::text, 'slow'::text])))
);


--
-- Name: webhook_retries_20261128; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_retries_20261128 (
    event_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    day date NOT NULL,
    retries smallint DEFAULT 0 NOT NULL,
    lane text NOT NULL,
    priority smallint NOT NULL,
    due_at timestamp(3) with time zone,
    lease_until timestamp(3) with time zone,
    token uuid,
    dead_at timestamp(3) with time zone,
    delivered_at timestamp(3) with time zone,
    replayed boolean DEFAULT false NOT NULL,
    stream text,
    CONSTRAINT webhook_retries_lane_check CHECK ((lane = ANY (ARRAY['retry'::text, 'slow'::text])))
);


--
-- Name: webhook_retries_20261129; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_retries_20261129 (
    event_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    day date NOT NULL,
    retries smallint DEFAULT 0 NOT NULL,
    lane text NOT NULL,
    priority smallint NOT NULL,
    due_at timestamp(3) with time zone,
    lease_until timestamp(3) with time zone,
    token uuid,
    dead_at timestamp(3) with time zone,
    delivered_at timestamp(3) with time zone,
    replayed boolean DEFAULT false NOT NULL,
    stream text,
    CONSTRAINT webhook_retries_lane_check CHECK ((lane = ANY (ARRAY['retry'::text, 'slow'::text])))
);


--
-- Name: webhook_retries_20261130; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_retries_20261130 (
    event_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    day date NOT NULL,
    retries smallint DEFAULT 0 NOT NULL,
    lane text NOT NULL,
    priority smallint NOT NULL,
    due_at timestamp(3) with time zone,
    lease_until timestamp(3) with time zone,
    token uuid,
    dead_at timestamp(3) with time zone,
    delivered_at timestamp(3) with time zone,
    replayed boolean DEFAULT false NOT NULL,
    stream text,
    CONSTRAINT webhook_retries_lane_check CHECK ((lane = ANY (ARRAY['retry'::text, 'slow'::text])))
);


--
-- Name: webhook_retries_20261201; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_retries_20261201 (
    event_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    day date NOT NULL,
    retries smallint DEFAULT 0 NOT NULL,
    lane text NOT NULL,
    priority smallint NOT NULL,
    due_at timestamp(3) with time zone,
    lease_until timestamp(3) with time zone,
    token uuid,
    dead_at timestamp(3) with time zone,
    delivered_at timestamp(3) with time zone,
    replayed boolean DEFAULT false NOT NULL,
    stream text,
    CONSTRAINT webhook_retries_lane_check CHECK ((lane = ANY (ARRAY['retry'::text, 'slow'::text])))
);


--
-- Name: webhook_retries_other; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_retries_other (
    event_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    day date NOT NULL,
    retries smallint DEFAULT 0 NOT NULL,
    lane text NOT NULL,
    priority smallint NOT NULL,
    due_at timestamp(3) with time zone,
    lease_until timestamp(3) with time zone,
    token uuid,
    dead_at timestamp(3) with time zone,
    delivered_at timestamp(3) with time zone,
    replayed boolean DEFAULT false NOT NULL,
    stream text,
    CONSTRAINT webhook_retries_lane_check CHECK ((lane = ANY (ARRAY['retry'::text, 'slow'::text])))
);


--
-- Name: webhook_trial_requests; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_trial_requests (
    id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    host text NOT NULL,
    network text,
    started_at timestamp(3) with time zone NOT NULL,
    ended_at timestamp(3) with time zone
);


--
-- Name: webhooks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhooks (
    id uuid NOT NULL,
    agent_id uuid,
    url text NOT NULL,
    secret bytea NOT NULL,
    previous_secret bytea,
    previous_until timestamp(3) with time zone,
    shard smallint,
    wanted_min_micro bigint,
    wanted_max_micro bigint,
    wanted_categories text[],
    status text DEFAULT 'active'::text NOT NULL,
    disabled_reason text,
    silent_until timestamp(3) with time zone,
    failing_since timestamp(3) with time zone,
    slow boolean DEFAULT false NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    wallet_events boolean DEFAULT false NOT NULL,
    host text DEFAULT ''::text NOT NULL,
    verified_at timestamp(3) with time zone,
    trial_at timestamp(3) with time zone,
    account_kind text,
    account_id uuid,
    types text[],
    elite boolean DEFAULT false NOT NULL,
    CONSTRAINT webhooks_account CHECK (
CASE
    WHEN (account_kind IS NULL) THEN ((agent_id IS NOT NULL) AND (shard IS NOT NULL) AND (account_id IS NULL) AND (types IS NULL))
    ELSE ((agent_id IS NULL) AND (shard IS NULL) AND (account_id IS NOT NULL) AND (types IS NOT NULL))
END),
    CONSTRAINT webhooks_account_kind_check CHECK ((account_kind = ANY (ARRAY['agent'::text, 'poster'::text]))),
    CONSTRAINT webhooks_check CHECK (((previous_secret IS NULL) = (previous_until IS NULL))),
    CONSTRAINT webhooks_check1 CHECK (((status = 'disabled'::text) = (disabled_reason IS NOT NULL))),
    CONSTRAINT webhooks_shard_check CHECK (((shard >= 0) AND (shard <= 9))),
    CONSTRAINT webhooks_status_check CHECK ((status = ANY (ARRAY['active'::text, 'disabled'::text]))),
    CONSTRAINT webhooks_wanted CHECK ((num_nulls(wanted_min_micro, wanted_max_micro, wanted_categories) = ANY (ARRAY[0, 3])))
)
WITH (fillfactor='85');


--
-- Name: webhook_attempts_20261127; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_attempts ATTACH PARTITION public.webhook_attempts_20261127 FOR VALUES FROM ('2026-11-27 00:00:00+00') TO ('2026-11-28 00:00:00+00');


--
-- Name: webhook_attempts_20261128; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_attempts ATTACH PARTITION public.webhook_attempts_20261128 FOR VALUES FROM ('2026-11-28 00:00:00+00') TO ('2026-11-29 00:00:00+00');


--
-- Name: webhook_attempts_20261129; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_attempts ATTACH PARTITION public.webhook_attempts_20261129 FOR VALUES FROM ('2026-11-29 00:00:00+00') TO ('2026-11-30 00:00:00+00');


--
-- Name: webhook_attempts_20261130; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_attempts ATTACH PARTITION public.webhook_attempts_20261130 FOR VALUES FROM ('2026-11-30 00:00:00+00') TO ('2026-12-01 00:00:00+00');


--
-- Name: webhook_attempts_20261201; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_attempts ATTACH PARTITION public.webhook_attempts_20261201 FOR VALUES FROM ('2026-12-01 00:00:00+00') TO ('2026-12-02 00:00:00+00');


--
-- Name: webhook_attempts_other; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_attempts ATTACH PARTITION public.webhook_attempts_other DEFAULT;


--
-- Name: webhook_retries_20261127; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_retries ATTACH PARTITION public.webhook_retries_20261127 FOR VALUES FROM ('2026-11-27') TO ('2026-11-28');


--
-- Name: webhook_retries_20261128; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_retries ATTACH PARTITION public.webhook_retries_20261128 FOR VALUES FROM ('2026-11-28') TO ('2026-11-29');


--
-- Name: webhook_retries_20261129; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_retries ATTACH PARTITION public.webhook_retries_20261129 FOR VALUES FROM ('2026-11-29') TO ('2026-11-30');


--
-- Name: webhook_retries_20261130; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_retries ATTACH PARTITION public.webhook_retries_20261130 FOR VALUES FROM ('2026-11-30') TO ('2026-12-01');


--
-- Name: webhook_retries_20261201; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_retries ATTACH PARTITION public.webhook_retries_20261201 FOR VALUES FROM ('2026-12-01') TO ('2026-12-02');


--
-- Name: webhook_retries_other; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_retries ATTACH PARTITION public.webhook_retries_other DEFAULT;


--
-- Name: adopted_transfers adopted_transfers_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.adopted_transfers
    ADD CONSTRAINT adopted_transfers_pkey PRIMARY KEY (network, tx_hash, log_index);


--
-- Name: agent_categories agent_categories_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.agent_categories
    ADD CONSTRAINT agent_categories_pkey PRIMARY KEY (agent_id, category);


--
-- Name: agent_counts agent_counts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.agent_counts
    ADD CONSTRAINT agent_counts_pkey PRIMARY KEY (stripe);


--
-- Name: agent_keys agent_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.agent_keys
    ADD CONSTRAINT agent_keys_pkey PRIMARY KEY (id);


--
-- Name: agent_sessions agent_sessions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.agent_sessions
    ADD CONSTRAINT agent_sessions_pkey PRIMARY KEY (id);


--
-- Name: agent_sign_in_challenges agent_sign_in_challenges_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.agent_sign_in_challenges
    ADD CONSTRAINT agent_sign_in_challenges_pkey PRIMARY KEY (nonce);


--
-- Name: agent_tier_awards agent_tier_awards_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.agent_tier_awards
    ADD CONSTRAINT agent_tier_awards_pkey PRIMARY KEY (agent_id, project_id);


--
-- Name: agents agents_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.agents
    ADD CONSTRAINT agents_pkey PRIMARY KEY (id);


--
-- Name: ai_days ai_days_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ai_days
    ADD CONSTRAINT ai_days_pkey PRIMARY KEY (day);


--
-- Name: ai_judging ai_judging_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ai_judging
    ADD CONSTRAINT ai_judging_pkey PRIMARY KEY (project_id);


--
-- Name: ai_scores ai_scores_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ai_scores
    ADD CONSTRAINT ai_scores_pkey PRIMARY KEY (submission_id);


--
-- Name: audit_chain audit_chain_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_chain
    ADD CONSTRAINT audit_chain_id_key UNIQUE (id);


--
-- Name: audit_chain audit_chain_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_chain
    ADD CONSTRAINT audit_chain_pkey PRIMARY KEY (seq);


--
-- Name: audit_head audit_head_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_head
    ADD CONSTRAINT audit_head_pkey PRIMARY KEY (only_row);


--
-- Name: audit_trail audit_trail_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_trail
    ADD CONSTRAINT audit_trail_pkey PRIMARY KEY (id);


--
-- Name: audit_waiting audit_waiting_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_waiting
    ADD CONSTRAINT audit_waiting_pkey PRIMARY KEY (place);


--
-- Name: contradicted_projects contradicted_projects_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.contradicted_projects
    ADD CONSTRAINT contradicted_projects_pkey PRIMARY KEY (project_id);


--
-- Name: earnings_ranks earnings_ranks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.earnings_ranks
    ADD CONSTRAINT earnings_ranks_pkey PRIMARY KEY (scope, level, bucket);


--
-- Name: entry_notes entry_notes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.entry_notes
    ADD CONSTRAINT entry_notes_pkey PRIMARY KEY (submission_id);


--
-- Name: event_consumers event_consumers_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.event_consumers
    ADD CONSTRAINT event_consumers_pkey PRIMARY KEY (name);


--
-- Name: event_head event_head_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.event_head
    ADD CONSTRAINT event_head_pkey PRIMARY KEY (only_row);


--
-- Name: events events_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (id, stream);


--
-- Name: events_seen events_seen_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.events_seen
    ADD CONSTRAINT events_seen_pkey PRIMARY KEY (stream);


--
-- Name: failed_payment_days failed_payment_days_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.failed_payment_days
    ADD CONSTRAINT failed_payment_days_pkey PRIMARY KEY (agent_id, day);


--
-- Name: figure_checks figure_checks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.figure_checks
    ADD CONSTRAINT figure_checks_pkey PRIMARY KEY (day);


--
-- Name: idempotency_keys idempotency_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT idempotency_keys_pkey PRIMARY KEY (id);


--
-- Name: late_publications late_publications_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.late_publications
    ADD CONSTRAINT late_publications_pkey PRIMARY KEY (listed_by, published_at);


--
-- Name: ledger_accounts ledger_accounts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ledger_accounts
    ADD CONSTRAINT ledger_accounts_pkey PRIMARY KEY (id);


--
-- Name: ledger_check_turn ledger_check_turn_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ledger_check_turn
    ADD CONSTRAINT ledger_check_turn_pkey PRIMARY KEY (single);


--
-- Name: ledger_checks ledger_checks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ledger_checks
    ADD CONSTRAINT ledger_checks_pkey PRIMARY KEY (id);


--
-- Name: ledger_entries ledger_entries_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ledger_entries
    ADD CONSTRAINT ledger_entries_pkey PRIMARY KEY (journal_id, line);


--
-- Name: ledger_journals ledger_journals_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ledger_journals
    ADD CONSTRAINT ledger_journals_pkey PRIMARY KEY (id);


--
-- Name: mail_contacts mail_contacts_link_hash_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.mail_contacts
    ADD CONSTRAINT mail_contacts_link_hash_key UNIQUE (link_hash);


--
-- Name: mail_contacts mail_contacts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.mail_contacts
    ADD CONSTRAINT mail_contacts_pkey PRIMARY KEY (account_kind, account_id);


--
-- Name: mail_digest_events mail_digest_events_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.mail_digest_events
    ADD CONSTRAINT mail_digest_events_pkey PRIMARY KEY (account_kind, account_id, event_id);


--
-- Name: mail_outbox mail_outbox_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.mail_outbox
    ADD CONSTRAINT mail_outbox_pkey PRIMARY KEY (id);


--
-- Name: media_files media_files_original_key_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.media_files
    ADD CONSTRAINT media_files_original_key_key UNIQUE (original_key);


--
-- Name: media_files media_files_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.media_files
    ADD CONSTRAINT media_files_pkey PRIMARY KEY (id);


--
-- Name: media_files media_files_upload_key_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.media_files
    ADD CONSTRAINT media_files_upload_key_key UNIQUE (upload_key);


--
-- Name: objections objections_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.objections
    ADD CONSTRAINT objections_pkey PRIMARY KEY (id);


--
-- Name: objections objections_submission_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.objections
    ADD CONSTRAINT objections_submission_id_key UNIQUE (submission_id);


--
-- Name: operator_approvals operator_approvals_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.operator_approvals
    ADD CONSTRAINT operator_approvals_pkey PRIMARY KEY (id);


--
-- Name: operator_sessions operator_sessions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.operator_sessions
    ADD CONSTRAINT operator_sessions_pkey PRIMARY KEY (id);


--
-- Name: operators operators_key_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.operators
    ADD CONSTRAINT operators_key_id_key UNIQUE (key_id);


--
-- Name: operators operators_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.operators
    ADD CONSTRAINT operators_pkey PRIMARY KEY (id);


--
-- Name: originality_flags originality_flags_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.originality_flags
    ADD CONSTRAINT originality_flags_pkey PRIMARY KEY (id);


--
-- Name: originality_flags originality_flags_submission_id_other_submission_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.originality_flags
    ADD CONSTRAINT originality_flags_submission_id_other_submission_id_key UNIQUE (submission_id, other_submission_id);


--
-- Name: payment_days payment_days_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.payment_days
    ADD CONSTRAINT payment_days_pkey PRIMARY KEY (day, kind);


--
-- Name: payments payments_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_pkey PRIMARY KEY (id);


--
-- Name: payouts payouts_payment_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.payouts
    ADD CONSTRAINT payouts_payment_id_key UNIQUE (payment_id);


--
-- Name: payouts payouts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.payouts
    ADD CONSTRAINT payouts_pkey PRIMARY KEY (id);


--
-- Name: payouts payouts_reference_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.payouts
    ADD CONSTRAINT payouts_reference_key UNIQUE (reference);


--
-- Name: poster_directory poster_directory_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.poster_directory
    ADD CONSTRAINT poster_directory_pkey PRIMARY KEY (poster_id);


--
-- Name: poster_keys poster_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.poster_keys
    ADD CONSTRAINT poster_keys_pkey PRIMARY KEY (id);


--
-- Name: poster_sessions poster_sessions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.poster_sessions
    ADD CONSTRAINT poster_sessions_pkey PRIMARY KEY (id);


--
-- Name: posters posters_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.posters
    ADD CONSTRAINT posters_pkey PRIMARY KEY (id);


--
-- Name: project_counts project_counts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.project_counts
    ADD CONSTRAINT project_counts_pkey PRIMARY KEY (status, stripe);


--
-- Name: project_references project_references_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.project_references
    ADD CONSTRAINT project_references_pkey PRIMARY KEY (id);


--
-- Name: project_references project_references_project_id_picture_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.project_references
    ADD CONSTRAINT project_references_project_id_picture_id_key UNIQUE (project_id, picture_id);


--
-- Name: project_terms project_terms_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.project_terms
    ADD CONSTRAINT project_terms_pkey PRIMARY KEY (project_id, version);


--
-- Name: projects projects_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_pkey PRIMARY KEY (id);


--
-- Name: publication_clock publication_clock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.publication_clock
    ADD CONSTRAINT publication_clock_pkey PRIMARY KEY (only_row);


--
-- Name: questions questions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.questions
    ADD CONSTRAINT questions_pkey PRIMARY KEY (id);


--
-- Name: recovery_state recovery_state_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.recovery_state
    ADD CONSTRAINT recovery_state_pkey PRIMARY KEY (single);


--
-- Name: reference_pictures reference_pictures_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.reference_pictures
    ADD CONSTRAINT reference_pictures_pkey PRIMARY KEY (id);


--
-- Name: sign_in_challenges sign_in_challenges_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sign_in_challenges
    ADD CONSTRAINT sign_in_challenges_pkey PRIMARY KEY (nonce);


--
-- Name: signer_lanes signer_lanes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.signer_lanes
    ADD CONSTRAINT signer_lanes_pkey PRIMARY KEY (address);


--
-- Name: specializations specializations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.specializations
    ADD CONSTRAINT specializations_pkey PRIMARY KEY (id);


--
-- Name: stray_transfers stray_transfers_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.stray_transfers
    ADD CONSTRAINT stray_transfers_pkey PRIMARY KEY (network, tx_hash, log_index);


--
-- Name: submissions submissions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.submissions
    ADD CONSTRAINT submissions_pkey PRIMARY KEY (id);


--
-- Name: treasury_scans treasury_scans_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.treasury_scans
    ADD CONSTRAINT treasury_scans_pkey PRIMARY KEY (network, treasury, asset);


--
-- Name: wallet_challenges wallet_challenges_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.wallet_challenges
    ADD CONSTRAINT wallet_challenges_pkey PRIMARY KEY (nonce);


--
-- Name: webhook_events webhook_events_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_events
    ADD CONSTRAINT webhook_events_pkey PRIMARY KEY (id);


--
-- Name: webhook_fan_outs webhook_fan_outs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_fan_outs
    ADD CONSTRAINT webhook_fan_outs_pkey PRIMARY KEY (event_id, shard);


--
-- Name: webhook_retries webhook_retries_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_retries
    ADD CONSTRAINT webhook_retries_pkey PRIMARY KEY (day, event_id, webhook_id);


--
-- Name: webhook_retries_20261127 webhook_retries_20261127_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_retries_20261127
    ADD CONSTRAINT webhook_retries_20261127_pkey PRIMARY KEY (day, event_id, webhook_id);


--
-- Name: webhook_retries_20261128 webhook_retries_20261128_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_retries_20261128
    ADD CONSTRAINT webhook_retries_20261128_pkey PRIMARY KEY (day, event_id, webhook_id);


--
-- Name: webhook_retries_20261129 webhook_retries_20261129_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_retries_20261129
    ADD CONSTRAINT webhook_retries_20261129_pkey PRIMARY KEY (day, event_id, webhook_id);


--
-- Name: webhook_retries_20261130 webhook_retries_20261130_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_retries_20261130
    ADD CONSTRAINT webhook_retries_20261130_pkey PRIMARY KEY (day, event_id, webhook_id);


--
-- Name: webhook_retries_20261201 webhook_retries_20261201_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_retries_20261201
    ADD CONSTRAINT webhook_retries_20261201_pkey PRIMARY KEY (day, event_id, webhook_id);


--
-- Name: webhook_retries_other webhook_retries_other_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_retries_other
    ADD CONSTRAINT webhook_retries_other_pkey PRIMARY KEY (day, event_id, webhook_id);


--
-- Name: webhook_trial_requests webhook_trial_requests_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_trial_requests
    ADD CONSTRAINT webhook_trial_requests_pkey PRIMARY KEY (id);


--
-- Name: webhooks webhooks_agent_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_agent_id_key UNIQUE (agent_id);


--
-- Name: webhooks webhooks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_pkey PRIMARY KEY (id);


--
-- Name: withdrawal_addresses withdrawal_addresses_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.withdrawal_addresses
    ADD CONSTRAINT withdrawal_addresses_pkey PRIMARY KEY (address);


--
-- Name: agent_categories_earned; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX agent_categories_earned ON public.agent_categories USING btree (category, earned_micro DESC, agent_id) WHERE (earned_micro > 0);


--
-- Name: agent_keys_agent; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX agent_keys_agent ON public.agent_keys USING btree (agent_id, created_at);


--
-- Name: agent_sessions_agent; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX agent_sessions_agent ON public.agent_sessions USING btree (agent_id, created_at);


--
-- Name: agent_sessions_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX agent_sessions_expiry ON public.agent_sessions USING btree (expires_at);


--
-- Name: agent_sessions_key; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX agent_sessions_key ON public.agent_sessions USING btree (key_id);


--
-- Name: agent_sign_in_challenges_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX agent_sign_in_challenges_expiry ON public.agent_sign_in_challenges USING btree (expires_at);


--
-- Name: agents_created; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX agents_created ON public.agents USING btree (created_at DESC, id DESC);


--
-- Name: agents_earned; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX agents_earned ON public.agents USING btree (earned_micro DESC, id) WHERE (earned_micro > 0);


--
-- Name: agents_linked_wallet; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX agents_linked_wallet ON public.agents USING btree (wallet_address) WHERE (wallet_linked_at IS NOT NULL);


--
-- Name: agents_name; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX agents_name ON public.agents USING btree (lower(name) COLLATE "C", id);


--
-- Name: agents_pending_wallet_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX agents_pending_wallet_at ON public.agents USING btree (pending_wallet_at) WHERE (pending_wallet_at IS NOT NULL);


--
-- Name: agents_restricted; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX agents_restricted ON public.agents USING btree (status, created_at DESC, id DESC) WHERE (status <> 'active'::text);


--
-- Name: agents_restricted_name; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX agents_restricted_name ON public.agents USING btree (status, lower(name) COLLATE "C", id) WHERE (status <> 'active'::text);


--
-- Name: agents_status_until; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX agents_status_until ON public.agents USING btree (status_until) WHERE (status_until IS NOT NULL);


--
-- Name: agents_tier; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX agents_tier ON public.agents USING btree (tier, created_at DESC, id DESC) WHERE (tier <> 'starter'::text);


--
-- Name: agents_tier_name; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX agents_tier_name ON public.agents USING btree (tier, lower(name) COLLATE "C", id) WHERE (tier <> 'starter'::text);


--
-- Name: ai_scores_project; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ai_scores_project ON public.ai_scores USING btree (project_id);


--
-- Name: audit_trail_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_trail_at ON public.audit_trail USING btree (at DESC, id DESC);


--
-- Name: audit_trail_subject; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_trail_subject ON public.audit_trail USING btree (subject, at DESC, id DESC);


--
-- Name: events_seq; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX events_seq ON public.events USING btree (seq) WHERE (seq IS NOT NULL);


--
-- Name: events_stream; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX events_stream ON public.events USING btree (stream, seq) WHERE (seq IS NOT NULL);


--
-- Name: events_tier; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX events_tier ON public.events USING btree (stream) WHERE (type = 'TIER.CHANGED'::text);


--
-- Name: events_waiting; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX events_waiting ON public.events USING btree (written) WHERE (seq IS NULL);


--
-- Name: idempotency_keys_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX idempotency_keys_age ON public.idempotency_keys USING btree (created_at);


--
-- Name: ledger_checks_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ledger_checks_at ON public.ledger_checks USING btree (checked_at DESC, id DESC);


--
-- Name: ledger_entries_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ledger_entries_account ON public.ledger_entries USING btree (account_id);


--
-- Name: ledger_journals_bookings; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX ledger_journals_bookings ON public.ledger_journals USING btree (payment_id, booking);


--
-- Name: mail_digest_events_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX mail_digest_events_due ON public.mail_digest_events USING btree (due_at);


--
-- Name: mail_outbox_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX mail_outbox_account ON public.mail_outbox USING btree (account_kind, account_id, created_at);


--
-- Name: mail_outbox_created; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX mail_outbox_created ON public.mail_outbox USING btree (created_at);


--
-- Name: mail_outbox_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX mail_outbox_due ON public.mail_outbox USING btree (due_at) WHERE (due_at IS NOT NULL);


--
-- Name: mail_outbox_verifications; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX mail_outbox_verifications ON public.mail_outbox USING btree (mailbox, created_at) WHERE (kind = 'verification'::text);


--
-- Name: media_files_current; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX media_files_current ON public.media_files USING btree (submission_id, item) WHERE (status = ANY (ARRAY['pending'::text, 'completed'::text]));


--
-- Name: media_files_inspecting; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX media_files_inspecting ON public.media_files USING btree (confirm_requested_at) WHERE ((status = 'pending'::text) AND (confirm_requested_at IS NOT NULL));


--
-- Name: media_files_leftover; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX media_files_leftover ON public.media_files USING btree (expires_at) WHERE (NOT upload_removed);


--
-- Name: media_files_quarter_1; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX media_files_quarter_1 ON public.media_files USING btree (((perceptual_hash & (65535)::bigint))) INCLUDE (perceptual_hash, submission_id) WHERE (status = 'completed'::text);


--
-- Name: media_files_quarter_2; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX media_files_quarter_2 ON public.media_files USING btree ((((perceptual_hash >> 16) & (65535)::bigint))) INCLUDE (perceptual_hash, submission_id) WHERE (status = 'completed'::text);


--
-- Name: media_files_quarter_3; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX media_files_quarter_3 ON public.media_files USING btree ((((perceptual_hash >> 32) & (65535)::bigint))) INCLUDE (perceptual_hash, submission_id) WHERE (status = 'completed'::text);


--
-- Name: media_files_quarter_4; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX media_files_quarter_4 ON public.media_files USING btree ((((perceptual_hash >> 48) & (65535)::bigint))) INCLUDE (perceptual_hash, submission_id) WHERE (status = 'completed'::text);


--
-- Name: media_files_sha256; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX media_files_sha256 ON public.media_files USING btree (sha256) WHERE (status = 'completed'::text);


--
-- Name: media_files_submission; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX media_files_submission ON public.media_files USING btree (submission_id, created_at DESC);


--
-- Name: media_files_uncompared; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX media_files_uncompared ON public.media_files USING btree (completed_at) WHERE (NOT compared);


--
-- Name: objections_created; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX objections_created ON public.objections USING btree (created_at DESC, id DESC);


--
-- Name: objections_open; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX objections_open ON public.objections USING btree (created_at DESC, id DESC) WHERE (decision IS NULL);


--
-- Name: objections_project; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX objections_project ON public.objections USING btree (project_id) WHERE (decision IS NULL);


--
-- Name: operator_approvals_pending; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX operator_approvals_pending ON public.operator_approvals USING btree (requested_by, fingerprint) WHERE (state = 'pending'::text);


--
-- Name: operator_approvals_requested; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX operator_approvals_requested ON public.operator_approvals USING btree (requested_at DESC, id DESC);


--
-- Name: operator_sessions_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX operator_sessions_expiry ON public.operator_sessions USING btree (expires_at);


--
-- Name: operator_sessions_operator; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX operator_sessions_operator ON public.operator_sessions USING btree (operator_id, created_at);


--
-- Name: operators_name; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX operators_name ON public.operators USING btree (name) WHERE (revoked_at IS NULL);


--
-- Name: originality_flags_agent; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX originality_flags_agent ON public.originality_flags USING btree (agent_id, created_at DESC, id DESC);


--
-- Name: originality_flags_created; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX originality_flags_created ON public.originality_flags USING btree (created_at DESC, id DESC);


--
-- Name: originality_flags_open; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX originality_flags_open ON public.originality_flags USING btree (created_at DESC, id DESC) WHERE (decision IS NULL);


--
-- Name: originality_flags_other_agent; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX originality_flags_other_agent ON public.originality_flags USING btree (other_agent_id, created_at DESC, id DESC);


--
-- Name: payments_amount; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX payments_amount ON public.payments USING btree (amount_micro);


--
-- Name: payments_authorization; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX payments_authorization ON public.payments USING btree (network, asset, payer, auth_nonce);


--
-- Name: payments_block; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX payments_block ON public.payments USING btree (network, pay_to, block_number) WHERE (state = 'settled'::text);


--
-- Name: payments_block_out; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX payments_block_out ON public.payments USING btree (network, payer, block_number) WHERE ((state = 'settled'::text) AND (kind = ANY (ARRAY['payout'::text, 'refund'::text])));


--
-- Name: payments_created; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX payments_created ON public.payments USING btree (created_at DESC, id DESC);


--
-- Name: payments_live_subject; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX payments_live_subject ON public.payments USING btree (kind, subject_id) WHERE ((state = ANY (ARRAY['settling'::text, 'settled'::text])) AND (NOT late));


--
-- Name: payments_settled; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX payments_settled ON public.payments USING btree (settled_at) INCLUDE (kind, amount_micro) WHERE (state = 'settled'::text);


--
-- Name: payments_sweep; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX payments_sweep ON public.payments USING btree (sweep_at) WHERE ((state = 'settling'::text) OR ((state = 'failed'::text) AND watched));


--
-- Name: payments_transfer; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX payments_transfer ON public.payments USING btree (network, tx_hash, log_index) WHERE (tx_hash IS NOT NULL);


--
-- Name: payments_vanished; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX payments_vanished ON public.payments USING btree (vanished_from) WHERE ((vanished_from IS NOT NULL) AND (state <> 'settled'::text));


--
-- Name: payouts_amount; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX payouts_amount ON public.payouts USING btree (amount_micro);


--
-- Name: payouts_carried; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX payouts_carried ON public.payouts USING btree (sent_with) WHERE (sent_with IS NOT NULL);


--
-- Name: payouts_created; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX payouts_created ON public.payouts USING btree (created_at DESC, id DESC);


--
-- Name: payouts_credited_wallet; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX payouts_credited_wallet ON public.payouts USING btree (recipient, id) WHERE (state = 'credited'::text);


--
-- Name: payouts_held; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX payouts_held ON public.payouts USING btree (held_until, id) WHERE (held_until IS NOT NULL);


--
-- Name: payouts_prize; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX payouts_prize ON public.payouts USING btree (project_id) WHERE (kind = 'prize'::text);


--
-- Name: payouts_project; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX payouts_project ON public.payouts USING btree (project_id, created_at);


--
-- Name: payouts_sent; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX payouts_sent ON public.payouts USING btree (sent_at) WHERE (sent_at IS NOT NULL);


--
-- Name: payouts_submission; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX payouts_submission ON public.payouts USING btree (submission_id) WHERE (submission_id IS NOT NULL);


--
-- Name: payouts_turns; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX payouts_turns ON public.payouts USING btree (COALESCE(project_id, '00000000-0000-0000-0000-000000000000'::uuid), due_at, id) INCLUDE (kind) WHERE (state = 'ready'::text);


--
-- Name: payouts_unsettled; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX payouts_unsettled ON public.payouts USING btree (state, debit_account) WHERE (state <> 'settled'::text);


--
-- Name: payouts_waiting; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX payouts_waiting ON public.payouts USING btree (agent_id) WHERE (state = 'waiting'::text);


--
-- Name: poster_directory_name; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX poster_directory_name ON public.poster_directory USING btree (name_key, poster_id);


--
-- Name: poster_directory_suspensions; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX poster_directory_suspensions ON public.poster_directory USING btree (poster_id DESC) WHERE (suspended_at IS NOT NULL);


--
-- Name: poster_keys_poster; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX poster_keys_poster ON public.poster_keys USING btree (poster_id, created_at);


--
-- Name: poster_sessions_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX poster_sessions_expiry ON public.poster_sessions USING btree (expires_at);


--
-- Name: poster_sessions_poster; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX poster_sessions_poster ON public.poster_sessions USING btree (poster_id, created_at);


--
-- Name: posters_wallet; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX posters_wallet ON public.posters USING btree (wallet_address);


--
-- Name: project_listings_fee; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX project_listings_fee ON public.project_listings USING btree (spec_key, status, entry_fee_micro, project_id);


--
-- Name: project_listings_prize; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX project_listings_prize ON public.project_listings USING btree (spec_key, status, prize_micro, project_id);


--
-- Name: project_listings_project; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX project_listings_project ON public.project_listings USING btree (project_id);


--
-- Name: project_listings_published; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX project_listings_published ON public.project_listings USING btree (spec_key, status, published_at, project_id);


--
-- Name: project_listings_visible; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX project_listings_visible ON public.project_listings USING btree (spec_key, status, visible_at, project_id);


--
-- Name: project_references_drafts; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX project_references_drafts ON public.project_references USING btree (created_at) WHERE (NOT frozen);


--
-- Name: project_references_picture; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX project_references_picture ON public.project_references USING btree (picture_id);


--
-- Name: project_references_poster; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX project_references_poster ON public.project_references USING btree (poster_id) WHERE (NOT frozen);


--
-- Name: project_references_unused; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX project_references_unused ON public.project_references USING btree (id) WHERE (project_id IS NULL);


--
-- Name: project_terms_hash; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX project_terms_hash ON public.project_terms USING btree (hash);


--
-- Name: project_transitions_project; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX project_transitions_project ON public.project_transitions USING btree (project_id, at);


--
-- Name: projects_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX projects_due ON public.projects USING btree (due_at) WHERE (due_at IS NOT NULL);


--
-- Name: projects_entries; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX projects_entries ON public.projects USING btree (total_submissions) WHERE (published_at IS NOT NULL);


--
-- Name: projects_no_winner; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX projects_no_winner ON public.projects USING btree (poster_id) WHERE ((no_winner_reason IS NOT NULL) AND (status = 'cancelled'::text));


--
-- Name: projects_open; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX projects_open ON public.projects USING btree (id) INCLUDE (auto_select_deadline) WHERE (status = 'open'::text);


--
-- Name: projects_poster; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX projects_poster ON public.projects USING btree (poster_id, created_at DESC, id DESC);


--
-- Name: projects_status; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX projects_status ON public.projects USING btree (status, created_at DESC, id DESC);


--
-- Name: projects_title; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX projects_title ON public.projects USING gin (to_tsvector('simple'::regconfig, title)) WHERE (published_at IS NOT NULL);


--
-- Name: projects_unpublished_title; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX projects_unpublished_title ON public.projects USING gin (to_tsvector('simple'::regconfig, title)) WHERE (published_at IS NULL);


--
-- Name: projects_urgency; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX projects_urgency ON public.projects USING btree (poster_id, public.project_urgency(status, ((awarded_at IS NOT NULL) OR (held_at IS NOT NULL)), COALESCE(closes_at, auto_select_deadline), COALESCE(judging_ends_at, created_at), created_at), id);


--
-- Name: questions_agent; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX questions_agent ON public.questions USING btree (agent_id, created_at DESC, id DESC);


--
-- Name: questions_project; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX questions_project ON public.questions USING btree (project_id, created_at DESC, id DESC);


--
-- Name: questions_unanswered; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX questions_unanswered ON public.questions USING btree (project_id, created_at DESC, id DESC) WHERE ((answered_at IS NULL) AND (hidden_at IS NULL));


--
-- Name: reference_pictures_upload; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX reference_pictures_upload ON public.reference_pictures USING btree (expires_at, id) WHERE (NOT upload_removed);


--
-- Name: sign_in_challenges_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sign_in_challenges_expiry ON public.sign_in_challenges USING btree (expires_at);


--
-- Name: stray_transfers_block; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX stray_transfers_block ON public.stray_transfers USING btree (network, block_number);


--
-- Name: stray_transfers_id; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX stray_transfers_id ON public.stray_transfers USING btree (id);


--
-- Name: stray_transfers_nobodys; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX stray_transfers_nobodys ON public.stray_transfers USING btree (network) INCLUDE (amount_micro) WHERE (payment_id IS NULL);


--
-- Name: stray_transfers_recorded; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX stray_transfers_recorded ON public.stray_transfers USING btree (recorded_at DESC, id DESC);


--
-- Name: submissions_agent; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX submissions_agent ON public.submissions USING btree (agent_id, created_at DESC);


--
-- Name: submissions_agent_decided; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX submissions_agent_decided ON public.submissions USING btree (agent_id, decided_at) INCLUDE (outcome) WHERE (outcome IS NOT NULL);


--
-- Name: submissions_agent_paid; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX submissions_agent_paid ON public.submissions USING btree (agent_id, paid_at) INCLUDE (earnings_micro, categories) WHERE (paid_at IS NOT NULL);


--
-- Name: submissions_agent_submitted; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX submissions_agent_submitted ON public.submissions USING btree (agent_id, submitted_at);


--
-- Name: submissions_entries; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX submissions_entries ON public.submissions USING btree (project_id, submitted_at, id) WHERE (status = 'submitted'::text);


--
-- Name: submissions_history; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX submissions_history ON public.submissions USING btree (agent_id, submitted_at, id) INCLUDE (categories, outcome, disqualified_at, score, earnings_micro) WHERE (status = 'submitted'::text);


--
-- Name: submissions_once; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX submissions_once ON public.submissions USING btree (project_id, agent_id, (
CASE
    WHEN (status = 'withdrawn'::text) THEN id
    ELSE NULL::uuid
END)) NULLS NOT DISTINCT;


--
-- Name: submissions_place_until; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX submissions_place_until ON public.submissions USING btree (place_until) WHERE (place_until IS NOT NULL);


--
-- Name: submissions_state; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX submissions_state ON public.submissions USING btree (agent_id, status, created_at DESC, id DESC);


--
-- Name: submissions_wins; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX submissions_wins ON public.submissions USING btree (agent_id, decided_at, id) WHERE (outcome = 'won'::text);


--
-- Name: wallet_challenges_agent; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX wallet_challenges_agent ON public.wallet_challenges USING btree (agent_id);


--
-- Name: wallet_challenges_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX wallet_challenges_expiry ON public.wallet_challenges USING btree (expires_at);


--
-- Name: webhook_attempts_webhook; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_attempts_webhook ON ONLY public.webhook_attempts USING btree (webhook_id, at DESC, event_id);


--
-- Name: webhook_attempts_20261127_webhook_id_at_event_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_attempts_20261127_webhook_id_at_event_id_idx ON public.webhook_attempts_20261127 USING btree (webhook_id, at DESC, event_id);


--
-- Name: webhook_attempts_20261128_webhook_id_at_event_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_attempts_20261128_webhook_id_at_event_id_idx ON public.webhook_attempts_20261128 USING btree (webhook_id, at DESC, event_id);


--
-- Name: webhook_attempts_20261129_webhook_id_at_event_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_attempts_20261129_webhook_id_at_event_id_idx ON public.webhook_attempts_20261129 USING btree (webhook_id, at DESC, event_id);


--
-- Name: webhook_attempts_20261130_webhook_id_at_event_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_attempts_20261130_webhook_id_at_event_id_idx ON public.webhook_attempts_20261130 USING btree (webhook_id, at DESC, event_id);


--
-- Name: webhook_attempts_20261201_webhook_id_at_event_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_attempts_20261201_webhook_id_at_event_id_idx ON public.webhook_attempts_20261201 USING btree (webhook_id, at DESC, event_id);


--
-- Name: webhook_attempts_other_webhook_id_at_event_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_attempts_other_webhook_id_at_event_id_idx ON public.webhook_attempts_other USING btree (webhook_id, at DESC, event_id);


--
-- Name: webhook_events_created; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_events_created ON public.webhook_events USING btree (created_at);


--
-- Name: webhook_fan_outs_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_fan_outs_due ON public.webhook_fan_outs USING btree (shard, due_at, event_id) WHERE (done_at IS NULL);


--
-- Name: webhook_retries_dead; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_dead ON ONLY public.webhook_retries USING btree (dead_at) WHERE (dead_at IS NOT NULL);


--
-- Name: webhook_retries_20261127_dead_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_20261127_dead_at_idx ON public.webhook_retries_20261127 USING btree (dead_at) WHERE (dead_at IS NOT NULL);


--
-- Name: webhook_retries_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_due ON ONLY public.webhook_retries USING btree (lane, priority, due_at) WHERE (due_at IS NOT NULL);


--
-- Name: webhook_retries_20261127_lane_priority_due_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_20261127_lane_priority_due_at_idx ON public.webhook_retries_20261127 USING btree (lane, priority, due_at) WHERE (due_at IS NOT NULL);


--
-- Name: webhook_retries_webhook; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_webhook ON ONLY public.webhook_retries USING btree (webhook_id, event_id);


--
-- Name: webhook_retries_20261127_webhook_id_event_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_20261127_webhook_id_event_id_idx ON public.webhook_retries_20261127 USING btree (webhook_id, event_id);


--
-- Name: webhook_retries_open; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_open ON ONLY public.webhook_retries USING btree (webhook_id, event_id) WHERE ((dead_at IS NULL) AND (delivered_at IS NULL));


--
-- Name: webhook_retries_20261127_webhook_id_event_id_idx1; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_20261127_webhook_id_event_id_idx1 ON public.webhook_retries_20261127 USING btree (webhook_id, event_id) WHERE ((dead_at IS NULL) AND (delivered_at IS NULL));


--
-- Name: webhook_retries_leased; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_leased ON ONLY public.webhook_retries USING btree (webhook_id) WHERE (lease_until IS NOT NULL);


--
-- Name: webhook_retries_20261127_webhook_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_20261127_webhook_id_idx ON public.webhook_retries_20261127 USING btree (webhook_id) WHERE (lease_until IS NOT NULL);


--
-- Name: webhook_retries_20261128_dead_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_20261128_dead_at_idx ON public.webhook_retries_20261128 USING btree (dead_at) WHERE (dead_at IS NOT NULL);


--
-- Name: webhook_retries_20261128_lane_priority_due_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_20261128_lane_priority_due_at_idx ON public.webhook_retries_20261128 USING btree (lane, priority, due_at) WHERE (due_at IS NOT NULL);


--
-- Name: webhook_retries_20261128_webhook_id_event_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_20261128_webhook_id_event_id_idx ON public.webhook_retries_20261128 USING btree (webhook_id, event_id);


--
-- Name: webhook_retries_20261128_webhook_id_event_id_idx1; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_20261128_webhook_id_event_id_idx1 ON public.webhook_retries_20261128 USING btree (webhook_id, event_id) WHERE ((dead_at IS NULL) AND (delivered_at IS NULL));


--
-- Name: webhook_retries_20261128_webhook_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_20261128_webhook_id_idx ON public.webhook_retries_20261128 USING btree (webhook_id) WHERE (lease_until IS NOT NULL);


--
-- Name: webhook_retries_20261129_dead_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_20261129_dead_at_idx ON public.webhook_retries_20261129 USING btree (dead_at) WHERE (dead_at IS NOT NULL);


--
-- Name: webhook_retries_20261129_lane_priority_due_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_20261129_lane_priority_due_at_idx ON public.webhook_retries_20261129 USING btree (lane, priority, due_at) WHERE (due_at IS NOT NULL);


--
-- Name: webhook_retries_20261129_webhook_id_event_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_20261129_webhook_id_event_id_idx ON public.webhook_retries_20261129 USING btree (webhook_id, event_id);


--
-- Name: webhook_retries_20261129_webhook_id_event_id_idx1; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_20261129_webhook_id_event_id_idx1 ON public.webhook_retries_20261129 USING btree (webhook_id, event_id) WHERE ((dead_at IS NULL) AND (delivered_at IS NULL));


--
-- Name: webhook_retries_20261129_webhook_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_20261129_webhook_id_idx ON public.webhook_retries_20261129 USING btree (webhook_id) WHERE (lease_until IS NOT NULL);


--
-- Name: webhook_retries_20261130_dead_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_20261130_dead_at_idx ON public.webhook_retries_20261130 USING btree (dead_at) WHERE (dead_at IS NOT NULL);


--
-- Name: webhook_retries_20261130_lane_priority_due_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_20261130_lane_priority_due_at_idx ON public.webhook_retries_20261130 USING btree (lane, priority, due_at) WHERE (due_at IS NOT NULL);


--
-- Name: webhook_retries_20261130_webhook_id_event_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_20261130_webhook_id_event_id_idx ON public.webhook_retries_20261130 USING btree (webhook_id, event_id);


--
-- Name: webhook_retries_20261130_webhook_id_event_id_idx1; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_20261130_webhook_id_event_id_idx1 ON public.webhook_retries_20261130 USING btree (webhook_id, event_id) WHERE ((dead_at IS NULL) AND (delivered_at IS NULL));


--
-- Name: webhook_retries_20261130_webhook_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_20261130_webhook_id_idx ON public.webhook_retries_20261130 USING btree (webhook_id) WHERE (lease_until IS NOT NULL);


--
-- Name: webhook_retries_20261201_dead_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_20261201_dead_at_idx ON public.webhook_retries_20261201 USING btree (dead_at) WHERE (dead_at IS NOT NULL);


--
-- Name: webhook_retries_20261201_lane_priority_due_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_20261201_lane_priority_due_at_idx ON public.webhook_retries_20261201 USING btree (lane, priority, due_at) WHERE (due_at IS NOT NULL);


--
-- Name: webhook_retries_20261201_webhook_id_event_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_20261201_webhook_id_event_id_idx ON public.webhook_retries_20261201 USING btree (webhook_id, event_id);


--
-- Name: webhook_retries_20261201_webhook_id_event_id_idx1; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_20261201_webhook_id_event_id_idx1 ON public.webhook_retries_20261201 USING btree (webhook_id, event_id) WHERE ((dead_at IS NULL) AND (delivered_at IS NULL));


--
-- Name: webhook_retries_20261201_webhook_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_20261201_webhook_id_idx ON public.webhook_retries_20261201 USING btree (webhook_id) WHERE (lease_until IS NOT NULL);


--
-- Name: webhook_retries_other_dead_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_other_dead_at_idx ON public.webhook_retries_other USING btree (dead_at) WHERE (dead_at IS NOT NULL);


--
-- Name: webhook_retries_other_lane_priority_due_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_other_lane_priority_due_at_idx ON public.webhook_retries_other USING btree (lane, priority, due_at) WHERE (due_at IS NOT NULL);


--
-- Name: webhook_retries_other_webhook_id_event_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_other_webhook_id_event_id_idx ON public.webhook_retries_other USING btree (webhook_id, event_id);


--
-- Name: webhook_retries_other_webhook_id_event_id_idx1; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_other_webhook_id_event_id_idx1 ON public.webhook_retries_other USING btree (webhook_id, event_id) WHERE ((dead_at IS NULL) AND (delivered_at IS NULL));


--
-- Name: webhook_retries_other_webhook_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_retries_other_webhook_id_idx ON public.webhook_retries_other USING btree (webhook_id) WHERE (lease_until IS NOT NULL);


--
-- Name: webhook_trial_requests_host; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_trial_requests_host ON public.webhook_trial_requests USING btree (host, started_at);


--
-- Name: webhook_trial_requests_network; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_trial_requests_network ON public.webhook_trial_requests USING btree (network) WHERE (ended_at IS NULL);


--
-- Name: webhook_trial_requests_old; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_trial_requests_old ON public.webhook_trial_requests USING btree (started_at);


--
-- Name: webhooks_fan_out; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhooks_fan_out ON public.webhooks USING btree (shard, id) WHERE (status = 'active'::text);


--
-- Name: webhooks_of_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhooks_of_account ON public.webhooks USING btree (account_kind, account_id) WHERE (account_kind IS NOT NULL);


--
-- Name: webhooks_trial; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhooks_trial ON public.webhooks USING btree (trial_at) WHERE (trial_at IS NOT NULL);


--
-- Name: webhooks_unverified; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhooks_unverified ON public.webhooks USING btree (host) WHERE ((verified_at IS NULL) AND (status = 'active'::text));


--
-- Name: webhook_attempts_20261127_webhook_id_at_event_id_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_attempts_webhook ATTACH PARTITION public.webhook_attempts_20261127_webhook_id_at_event_id_idx;


--
-- Name: webhook_attempts_20261128_webhook_id_at_event_id_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_attempts_webhook ATTACH PARTITION public.webhook_attempts_20261128_webhook_id_at_event_id_idx;


--
-- Name: webhook_attempts_20261129_webhook_id_at_event_id_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_attempts_webhook ATTACH PARTITION public.webhook_attempts_20261129_webhook_id_at_event_id_idx;


--
-- Name: webhook_attempts_20261130_webhook_id_at_event_id_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_attempts_webhook ATTACH PARTITION public.webhook_attempts_20261130_webhook_id_at_event_id_idx;


--
-- Name: webhook_attempts_20261201_webhook_id_at_event_id_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_attempts_webhook ATTACH PARTITION public.webhook_attempts_20261201_webhook_id_at_event_id_idx;


--
-- Name: webhook_attempts_other_webhook_id_at_event_id_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_attempts_webhook ATTACH PARTITION public.webhook_attempts_other_webhook_id_at_event_id_idx;


--
-- Name: webhook_retries_20261127_dead_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_dead ATTACH PARTITION public.webhook_retries_20261127_dead_at_idx;


--
-- Name: webhook_retries_20261127_lane_priority_due_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_due ATTACH PARTITION public.webhook_retries_20261127_lane_priority_due_at_idx;


--
-- Name: webhook_retries_20261127_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_pkey ATTACH PARTITION public.webhook_retries_20261127_pkey;


--
-- Name: webhook_retries_20261127_webhook_id_event_id_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_webhook ATTACH PARTITION public.webhook_retries_20261127_webhook_id_event_id_idx;


--
-- Name: webhook_retries_20261127_webhook_id_event_id_idx1; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_open ATTACH PARTITION public.webhook_retries_20261127_webhook_id_event_id_idx1;


--
-- Name: webhook_retries_20261127_webhook_id_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_leased ATTACH PARTITION public.webhook_retries_20261127_webhook_id_idx;


--
-- Name: webhook_retries_20261128_dead_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_dead ATTACH PARTITION public.webhook_retries_20261128_dead_at_idx;


--
-- Name: webhook_retries_20261128_lane_priority_due_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_due ATTACH PARTITION public.webhook_retries_20261128_lane_priority_due_at_idx;


--
-- Name: webhook_retries_20261128_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_pkey ATTACH PARTITION public.webhook_retries_20261128_pkey;


--
-- Name: webhook_retries_20261128_webhook_id_event_id_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_webhook ATTACH PARTITION public.webhook_retries_20261128_webhook_id_event_id_idx;


--
-- Name: webhook_retries_20261128_webhook_id_event_id_idx1; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_open ATTACH PARTITION public.webhook_retries_20261128_webhook_id_event_id_idx1;


--
-- Name: webhook_retries_20261128_webhook_id_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_leased ATTACH PARTITION public.webhook_retries_20261128_webhook_id_idx;


--
-- Name: webhook_retries_20261129_dead_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_dead ATTACH PARTITION public.webhook_retries_20261129_dead_at_idx;


--
-- Name: webhook_retries_20261129_lane_priority_due_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_due ATTACH PARTITION public.webhook_retries_20261129_lane_priority_due_at_idx;


--
-- Name: webhook_retries_20261129_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_pkey ATTACH PARTITION public.webhook_retries_20261129_pkey;


--
-- Name: webhook_retries_20261129_webhook_id_event_id_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_webhook ATTACH PARTITION public.webhook_retries_20261129_webhook_id_event_id_idx;


--
-- Name: webhook_retries_20261129_webhook_id_event_id_idx1; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_open ATTACH PARTITION public.webhook_retries_20261129_webhook_id_event_id_idx1;


--
-- Name: webhook_retries_20261129_webhook_id_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_leased ATTACH PARTITION public.webhook_retries_20261129_webhook_id_idx;


--
-- Name: webhook_retries_20261130_dead_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_dead ATTACH PARTITION public.webhook_retries_20261130_dead_at_idx;


--
-- Name: webhook_retries_20261130_lane_priority_due_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_due ATTACH PARTITION public.webhook_retries_20261130_lane_priority_due_at_idx;


--
-- Name: webhook_retries_20261130_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_pkey ATTACH PARTITION public.webhook_retries_20261130_pkey;


--
-- Name: webhook_retries_20261130_webhook_id_event_id_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_webhook ATTACH PARTITION public.webhook_retries_20261130_webhook_id_event_id_idx;


--
-- Name: webhook_retries_20261130_webhook_id_event_id_idx1; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_open ATTACH PARTITION public.webhook_retries_20261130_webhook_id_event_id_idx1;


--
-- Name: webhook_retries_20261130_webhook_id_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_leased ATTACH PARTITION public.webhook_retries_20261130_webhook_id_idx;


--
-- Name: webhook_retries_20261201_dead_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_dead ATTACH PARTITION public.webhook_retries_20261201_dead_at_idx;


--
-- Name: webhook_retries_20261201_lane_priority_due_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_due ATTACH PARTITION public.webhook_retries_20261201_lane_priority_due_at_idx;


--
-- Name: webhook_retries_20261201_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_pkey ATTACH PARTITION public.webhook_retries_20261201_pkey;


--
-- Name: webhook_retries_20261201_webhook_id_event_id_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_webhook ATTACH PARTITION public.webhook_retries_20261201_webhook_id_event_id_idx;


--
-- Name: webhook_retries_20261201_webhook_id_event_id_idx1; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_open ATTACH PARTITION public.webhook_retries_20261201_webhook_id_event_id_idx1;


--
-- Name: webhook_retries_20261201_webhook_id_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_leased ATTACH PARTITION public.webhook_retries_20261201_webhook_id_idx;


--
-- Name: webhook_retries_other_dead_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_dead ATTACH PARTITION public.webhook_retries_other_dead_at_idx;


--
-- Name: webhook_retries_other_lane_priority_due_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_due ATTACH PARTITION public.webhook_retries_other_lane_priority_due_at_idx;


--
-- Name: webhook_retries_other_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_pkey ATTACH PARTITION public.webhook_retries_other_pkey;


--
-- Name: webhook_retries_other_webhook_id_event_id_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_webhook ATTACH PARTITION public.webhook_retries_other_webhook_id_event_id_idx;


--
-- Name: webhook_retries_other_webhook_id_event_id_idx1; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_open ATTACH PARTITION public.webhook_retries_other_webhook_id_event_id_idx1;


--
-- Name: webhook_retries_other_webhook_id_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.webhook_retries_leased ATTACH PARTITION public.webhook_retries_other_webhook_id_idx;


--
-- Name: audit_chain audit_chain_append_only; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER audit_chain_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_chain FOR EACH STATEMENT EXECUTE FUNCTION public.append_only();


--
-- Name: audit_trail audit_trail_append_only; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER audit_trail_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_trail FOR EACH STATEMENT EXECUTE FUNCTION public.append_only();


--
-- Name: audit_trail audit_trail_waits; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER audit_trail_waits AFTER INSERT ON public.audit_trail REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.audit_waits();


--
-- Name: agents count_gone_agents; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER count_gone_agents AFTER DELETE ON public.agents REFERENCING OLD TABLE AS changed_agents FOR EACH STATEMENT EXECUTE FUNCTION public.count_agents();


--
-- Name: projects count_gone_projects; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER count_gone_projects AFTER DELETE ON public.projects REFERENCING OLD TABLE AS changed_projects FOR EACH STATEMENT EXECUTE FUNCTION public.count_projects();


--
-- Name: projects count_moved_project; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER count_moved_project AFTER UPDATE OF status ON public.projects DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.status IS DISTINCT FROM new.status)) EXECUTE FUNCTION public.count_moved_project();


--
-- Name: agents count_new_agents; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER count_new_agents AFTER INSERT ON public.agents REFERENCING NEW TABLE AS changed_agents FOR EACH STATEMENT EXECUTE FUNCTION public.count_agents();


--
-- Name: projects count_new_projects; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER count_new_projects AFTER INSERT ON public.projects REFERENCING NEW TABLE AS changed_projects FOR EACH STATEMENT EXECUTE FUNCTION public.count_projects();


--
-- Name: ledger_accounts ledger_account_by_entry; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER ledger_account_by_entry BEFORE UPDATE ON public.ledger_accounts FOR EACH ROW EXECUTE FUNCTION public.ledger_account_by_entry();


--
-- Name: ledger_accounts ledger_accounts_append_only; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER ledger_accounts_append_only BEFORE DELETE OR TRUNCATE ON public.ledger_accounts FOR EACH STATEMENT EXECUTE FUNCTION public.ledger_append_only();


--
-- Name: ledger_entries ledger_entries_append_only; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER ledger_entries_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION public.ledger_append_only();


--
-- Name: ledger_entries ledger_entry_post; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER ledger_entry_post BEFORE INSERT ON public.ledger_entries FOR EACH ROW EXECUTE FUNCTION public.ledger_entry_post();


--
-- Name: ledger_journals ledger_journal_balances; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER ledger_journal_balances AFTER INSERT ON public.ledger_journals DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.ledger_journal_balances();


--
-- Name: ledger_journals ledger_journals_append_only; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER ledger_journals_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_journals FOR EACH STATEMENT EXECUTE FUNCTION public.ledger_append_only();


--
-- Name: payments payment_has_journal; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER payment_has_journal AFTER INSERT OR UPDATE ON public.payments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.state = 'settled'::text)) EXECUTE FUNCTION public.payment_has_journal();


--
-- Name: payments payment_settled_is_final; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER payment_settled_is_final BEFORE DELETE OR UPDATE ON public.payments FOR EACH ROW WHEN ((old.state = 'settled'::text)) EXECUTE FUNCTION public.payment_settled_is_final();


--
-- Name: payouts payout_has_poster; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER payout_has_poster BEFORE INSERT ON public.payouts FOR EACH ROW WHEN ((new.project_id IS NOT NULL)) EXECUTE FUNCTION public.payout_has_poster();


--
-- Name: payouts payout_is_fixed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER payout_is_fixed BEFORE UPDATE ON public.payouts FOR EACH ROW EXECUTE FUNCTION public.payout_is_fixed();


--
-- Name: payouts payout_settled_is_final; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER payout_settled_is_final BEFORE DELETE OR UPDATE ON public.payouts FOR EACH ROW WHEN ((old.state = 'settled'::text)) EXECUTE FUNCTION public.payout_settled_is_final();


--
-- Name: posters poster_is_listed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER poster_is_listed AFTER INSERT OR UPDATE OF name ON public.posters FOR EACH ROW EXECUTE FUNCTION public.poster_is_listed();


--
-- Name: projects project_card; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER project_card BEFORE INSERT OR UPDATE ON public.projects FOR EACH ROW EXECUTE FUNCTION public.project_card();


--
-- Name: project_terms project_terms_append_only; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER project_terms_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.project_terms FOR EACH STATEMENT EXECUTE FUNCTION public.append_only();


--
-- Name: project_transitions project_transitions_append_only; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER project_transitions_append_only BEFORE UPDATE OR TRUNCATE ON public.project_transitions FOR EACH STATEMENT EXECUTE FUNCTION public.append_only();


--
-- Name: submissions submission_categories; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER submission_categories BEFORE INSERT ON public.submissions FOR EACH ROW EXECUTE FUNCTION public.submission_categories();


--
-- Name: adopted_transfers adopted_transfers_payment_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.adopted_transfers
    ADD CONSTRAINT adopted_transfers_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES public.payments(id);


--
-- Name: agent_categories agent_categories_agent_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.agent_categories
    ADD CONSTRAINT agent_categories_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES public.agents(id);


--
-- Name: agent_keys agent_keys_agent_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.agent_keys
    ADD CONSTRAINT agent_keys_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES public.agents(id);


--
-- Name: agent_sessions agent_sessions_agent_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.agent_sessions
    ADD CONSTRAINT agent_sessions_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES public.agents(id);


--
-- Name: agent_sessions agent_sessions_key_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.agent_sessions
    ADD CONSTRAINT agent_sessions_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.agent_keys(id) ON DELETE CASCADE;


--
-- Name: agent_tier_awards agent_tier_awards_agent_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.agent_tier_awards
    ADD CONSTRAINT agent_tier_awards_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES public.agents(id);


--
-- Name: ai_judging ai_judging_project_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ai_judging
    ADD CONSTRAINT ai_judging_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);


--
-- Name: ai_scores ai_scores_project_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ai_scores
    ADD CONSTRAINT ai_scores_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.ai_judging(project_id);


--
-- Name: ai_scores ai_scores_submission_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ai_scores
    ADD CONSTRAINT ai_scores_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES public.submissions(id);


--
-- Name: entry_notes entry_notes_submission_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.entry_notes
    ADD CONSTRAINT entry_notes_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES public.submissions(id);


--
-- Name: failed_payment_days failed_payment_days_agent_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.failed_payment_days
    ADD CONSTRAINT failed_payment_days_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES public.agents(id);


--
-- Name: ledger_entries ledger_entries_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ledger_entries
    ADD CONSTRAINT ledger_entries_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.ledger_accounts(id);


--
-- Name: ledger_entries ledger_entries_journal_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ledger_entries
    ADD CONSTRAINT ledger_entries_journal_id_fkey FOREIGN KEY (journal_id) REFERENCES public.ledger_journals(id);


--
-- Name: ledger_journals ledger_journals_payment; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ledger_journals
    ADD CONSTRAINT ledger_journals_payment FOREIGN KEY (payment_id) REFERENCES public.payments(id);


--
-- Name: media_files media_files_submission_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.media_files
    ADD CONSTRAINT media_files_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES public.submissions(id);


--
-- Name: objections objections_agent_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.objections
    ADD CONSTRAINT objections_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES public.agents(id);


--
-- Name: objections objections_project_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.objections
    ADD CONSTRAINT objections_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);


--
-- Name: objections objections_submission_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.objections
    ADD CONSTRAINT objections_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES public.submissions(id);


--
-- Name: operator_sessions operator_sessions_operator_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.operator_sessions
    ADD CONSTRAINT operator_sessions_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES public.operators(id);


--
-- Name: originality_flags originality_flags_agent_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.originality_flags
    ADD CONSTRAINT originality_flags_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES public.agents(id);


--
-- Name: originality_flags originality_flags_other_agent_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.originality_flags
    ADD CONSTRAINT originality_flags_other_agent_id_fkey FOREIGN KEY (other_agent_id) REFERENCES public.agents(id);


--
-- Name: originality_flags originality_flags_other_submission_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.originality_flags
    ADD CONSTRAINT originality_flags_other_submission_id_fkey FOREIGN KEY (other_submission_id) REFERENCES public.submissions(id);


--
-- Name: originality_flags originality_flags_submission_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.originality_flags
    ADD CONSTRAINT originality_flags_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES public.submissions(id);


--
-- Name: payouts payouts_agent_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.payouts
    ADD CONSTRAINT payouts_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES public.agents(id);


--
-- Name: payouts payouts_payment_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.payouts
    ADD CONSTRAINT payouts_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES public.payments(id);


--
-- Name: payouts payouts_sent_with_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.payouts
    ADD CONSTRAINT payouts_sent_with_fkey FOREIGN KEY (sent_with) REFERENCES public.payouts(id);


--
-- Name: payouts payouts_submission_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.payouts
    ADD CONSTRAINT payouts_submission_id_fkey FOREIGN KEY (submission_id) REFERENCES public.submissions(id);


--
-- Name: poster_directory poster_directory_poster_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.poster_directory
    ADD CONSTRAINT poster_directory_poster_id_fkey FOREIGN KEY (poster_id) REFERENCES public.posters(id);


--
-- Name: poster_keys poster_keys_poster_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.poster_keys
    ADD CONSTRAINT poster_keys_poster_id_fkey FOREIGN KEY (poster_id) REFERENCES public.posters(id);


--
-- Name: poster_sessions poster_sessions_key_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.poster_sessions
    ADD CONSTRAINT poster_sessions_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.poster_keys(id);


--
-- Name: poster_sessions poster_sessions_poster_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.poster_sessions
    ADD CONSTRAINT poster_sessions_poster_id_fkey FOREIGN KEY (poster_id) REFERENCES public.posters(id);


--
-- Name: project_listings project_listings_project_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.project_listings
    ADD CONSTRAINT project_listings_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);


--
-- Name: project_references project_references_picture_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.project_references
    ADD CONSTRAINT project_references_picture_id_fkey FOREIGN KEY (picture_id) REFERENCES public.reference_pictures(id);


--
-- Name: project_references project_references_poster_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.project_references
    ADD CONSTRAINT project_references_poster_id_fkey FOREIGN KEY (poster_id) REFERENCES public.posters(id);


--
-- Name: project_references project_references_project_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.project_references
    ADD CONSTRAINT project_references_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE SET NULL;


--
-- Name: project_terms project_terms_project_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.project_terms
    ADD CONSTRAINT project_terms_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);


--
-- Name: project_transitions project_transitions_project_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.project_transitions
    ADD CONSTRAINT project_transitions_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id) ON DELETE CASCADE;


--
-- Name: projects projects_poster_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_poster_id_fkey FOREIGN KEY (poster_id) REFERENCES public.posters(id);


--
-- Name: questions questions_agent_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.questions
    ADD CONSTRAINT questions_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES public.agents(id);


--
-- Name: questions questions_project_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.questions
    ADD CONSTRAINT questions_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);


--
-- Name: stray_transfers stray_transfers_payment_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.stray_transfers
    ADD CONSTRAINT stray_transfers_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES public.payments(id);


--
-- Name: submissions submissions_agent_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.submissions
    ADD CONSTRAINT submissions_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES public.agents(id);


--
-- Name: submissions submissions_project_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.submissions
    ADD CONSTRAINT submissions_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);


--
-- Name: wallet_challenges wallet_challenges_agent_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.wallet_challenges
    ADD CONSTRAINT wallet_challenges_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES public.agents(id);


--
-- Name: webhook_events webhook_events_project_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_events
    ADD CONSTRAINT webhook_events_project_id_fkey FOREIGN KEY (project_id) REFERENCES public.projects(id);


--
-- Name: webhook_fan_outs webhook_fan_outs_event_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_fan_outs
    ADD CONSTRAINT webhook_fan_outs_event_id_fkey FOREIGN KEY (event_id) REFERENCES public.webhook_events(id);


--
-- Name: webhooks webhooks_agent_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES public.agents(id);


--
-- PostgreSQL database dump complete
--

\unrestrict 1ekM3aCXHpzCQvn8yLNLHSZlkMF8pF7Gvs3zhu9eFHVb0zmSJq4L7QYyHDSPc3V

