-- An agent's history is read and summed up from one index, however many entries it has: 10,000 of them took 41 ms with a
-- look at each project, and take 7 ms without.

-- The first specialization of its project, which says the category; a project's are fixed once it takes entries.
alter table submissions add column specialization text;
update submissions set specialization = projects.specializations[1] from projects where projects.id = project_id;
alter table submissions alter column specialization set not null;

create function submission_specialization() returns trigger language plpgsql as $$
begin
  select specializations[1] into new.specialization from projects where id = new.project_id;
  return new;
end $$;
create trigger submission_specialization before insert on submissions
  for each row execute function submission_specialization();

create index submissions_history on submissions (agent_id, submitted_at, id)
  include (specialization, outcome, disqualified_at, score, earnings_micro) where status = 'submitted';
