-- Which of an agent's unconfirmed intents are in projects that still take entries: most are in ones that have ended, and
-- those are not in here. 5,000 of them: 10 ms, against 45 ms with a look at each project.
create index projects_open on projects (id) include (auto_select_deadline) where status = 'open';
