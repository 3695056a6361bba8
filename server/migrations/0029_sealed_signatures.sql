-- Signatures that lie in payloads from before 0028 are taken out of them by a job, a batch after the other: a statement over
-- all payments would hold them for minutes.

-- How far it has come along payments_created; null before its first batch.
create table signature_sealing (
  single boolean primary key default true check (single),
  created_at timestamptz,
  payment_id uuid
);
insert into signature_sealing default values;

-- What is settled stays as it was settled. Only where its signature lies may change, once, and nothing else with it.
create or replace function payment_settled_is_final() returns trigger language plpgsql as $$
declare
  places text[] := '{payload,signature}';
begin
  if tg_op = 'UPDATE' and old.signature is null and new.signature is not null
    and old.payload #> '{payload,signature}' is not null and new.payload = old.payload #- '{payload,signature}'
    and to_jsonb(new) - places = to_jsonb(old) - places then
    return new;
  end if;
  raise exception 'payment % is settled', old.id;
end $$;
