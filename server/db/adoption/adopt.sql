-- Changes the last schema of version 0.1.0 to that of the baselines 0001 to 0013.

-- Version 0.1.0 had a job that encrypted signatures of earlier payments. This table kept its progress.
drop table signature_sealing;

-- That job was the only exception from this rule.
create or replace function payment_settled_is_final() returns trigger language plpgsql as $$
begin
  raise exception 'payment % is settled', old.id;
end $$;

-- Version 0.1.0 added this constraint without checking the rows that existed.
alter table webhooks validate constraint webhooks_wanted;
