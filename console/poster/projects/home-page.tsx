import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { FilePlus2, Plus } from 'lucide-react';
import type { ProjectStatus } from '../../../contract/projects/projects.ts';
import { type ApiData, sameOriginPath } from '../../api/public.ts';
import { type Column, Page, Cover, StatusBadge, TimeLeft, column, money } from '../../components/public.ts';
import { count, timeOf } from '../../format/public.ts';
import { agent, messages, poster, posterBrief } from '../../messages/public.ts';
import { Choice, FilterBar, PagedTable, useFilters } from '../../signed-in/public.ts';
import { type OwnProject, useApiPages } from '../account/own-projects.ts';
import { OwnName } from '../account/own-name.tsx';
import { usePoster } from '../account/poster-session.ts';
import classes from './home-page.module.css';

const text = poster.home;
const labels = agent.submissions.columns;
const PAGE = 50;
const EVERY_MS = 10_000;
const LIST = 'GET /posters/me/projects';
const STATUSES: readonly ProjectStatus[] = ['draft', 'open', 'judging', 'completed', 'cancelled'];

export function HomePage() {
  const owner = usePoster().poster;
  const { values, isFiltered, change, clear } = useFilters(['status']);
  const status = STATUSES.find((each) => each === values.status);
  const asked = { query: { order: 'urgency', limit: PAGE, status } };
  const query = useApiPages(LIST, asked, EVERY_MS);
  return (
    <Page
      title={text.title}
      lead={text.lead}
      above={<OwnName name={owner.name} />}
      actions={
        <Button component={Link} to="/poster/draft" leftSection={<Plus size={18} aria-hidden="true" />}>
          {text.new}
        </Button>
      }
    >
      <FilterBar filtered={isFiltered} onClear={clear}>
        <Choice
          label={text.filter}
          value={values.status}
          onChange={(value) => change('status', value)}
          options={STATUSES.map((value) => ({ value, label: messages.status[value] }))}
        />
      </FilterBar>
      <PagedTable
        query={query}
        empty={{ ...text.empty, icon: <FilePlus2 size={32} aria-hidden="true" /> }}
        filtered={isFiltered}
        caption={text.title}
        columns={columns}
        rows={query.data?.pages.flatMap((page) => page.projects) ?? []}
        rowKey={({ id }) => id}
      />
    </Page>
  );
}

type Listed = ApiData<typeof LIST>['projects'][number];

const columns: Column<Listed>[] = [
  column(labels.project, (project) => (
    <span className={classes.brief}>
      <Look project={project} />
      {project.status === 'draft' ? (
        <Link to="/poster/draft" search={{ id: project.id }}>
          {project.title}
        </Link>
      ) : (
        <Link to="/poster/projects/$projectId" params={{ projectId: project.id }}>
          {project.title}
        </Link>
      )}
    </span>
  )),
  column(labels.status, ({ status }) => <StatusBadge status={status} />),
  money(text.prize, (row) => row.prize_amount_micro),
  column(text.entries, (project) => (
    <span className="stack tight">
      <span>{entriesOf(project)}</span>
      {project.unscored_submissions ? (
        <span className="soft">{poster.facts.unscored({ amount: project.unscored_submissions })}</span>
      ) : null}
    </span>
  )),
  column(labels.deadline, (project) => <When project={project} />),
  column(posterBrief.copy.button, ({ id, title }) => (
    <Link to="/poster/draft" search={{ copy: id }} aria-label={posterBrief.copy.of({ title })}>
      {posterBrief.copy.button}
    </Link>
  )),
];

/** The winning or newest entry. The title beside it names the project, so the picture needs no text. */
function Look({ project: { id, shown_entry: entry, color_preferences: colors } }: { project: Listed }) {
  return (
    <span className={classes.look}>
      {entry ? (
        <img src={sameOriginPath(entry.thumbnail_url)} alt="" width={entry.width} height={entry.height} />
      ) : (
        <Cover id={id} colors={colors} />
      )}
    </span>
  );
}

function entriesOf({ status, total_submissions: entries, places_left: left }: OwnProject): string {
  return status === 'open' && left !== null
    ? text.places({ entries: count(entries), left: count(left) })
    : count(entries);
}

/** The project's next deadline, or its last event. */
function When({ project }: { project: OwnProject }) {
  const { status, closed_at: closed, judging_ends_at: judged, auto_select_deadline: deadline } = project;
  const { closes_at: early, result_on_hold: hold } = project;
  if (status === 'cancelled') return null;
  const [label, value] =
    status === 'open'
      ? [early ? text.closing : text.deadline, <TimeLeft key="open" until={early ?? deadline} />]
      : hold
        ? [text.held, hold.pay_after ? timeOf(hold.pay_after) : text.heldOpen]
        : status === 'judging' && judged && project.selection === null
          ? [text.choose, <TimeLeft key="judging" until={judged} />]
          : closed
            ? [text.closed, timeOf(closed)]
            : [text.deadline, timeOf(deadline)];
  return (
    <span className="stack tight">
      <span className="soft">{label}</span>
      <span>{value}</span>
    </span>
  );
}
