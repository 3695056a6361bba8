import { Button, NativeSelect } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Bell, FilePlus2, KeyRound, LogOut, Plus } from 'lucide-react';
import { useState } from 'react';
import type { ProjectStatus } from '../../../contract/projects/projects.ts';
import { type ApiData, sameOriginPath } from '../../api/public.ts';
import { EmptyState, NoData, Page, Cover, Money, StatusBadge, TimeLeft } from '../../components/public.ts';
import { count, timeOf } from '../../format/public.ts';
import { keys, messages, notifications, poster, posterBrief } from '../../messages/public.ts';
import type { OwnProject } from '../account/own-projects.ts';
import { posterApi, type Session, signOut } from '../account/poster-session.ts';
import { SessionGate } from '../account/session-gate.tsx';
import classes from './home-page.module.css';

const text = poster.home;
const PAGE = 50;
const EVERY_MS = 10_000;
const LIST = 'GET /posters/me/projects';
const STATUSES: readonly ProjectStatus[] = ['draft', 'open', 'judging', 'completed', 'cancelled'];

export function HomePage() {
  return <SessionGate>{(session) => <Home session={session} />}</SessionGate>;
}

function Home({ session }: { session: Session }) {
  const queries = useQueryClient();
  const [status, setStatus] = useState<ProjectStatus | ''>('');
  const result = useProjects(session.poster.id, status);
  const isNew = status === '' && (result.isPending || result.data?.pages[0]?.projects.length === 0);
  return (
    <Page
      title={text.title}
      lead={text.lead}
      above={
        <span className={classes.account}>
          <span className="soft">{poster.account.signedInAs({ name: session.poster.name })}</span>
          <Link to="/poster/notifications" className={classes.out}>
            <Bell size={16} aria-hidden="true" />
            {notifications.title}
          </Link>
          <Link to="/poster/keys" className={classes.out}>
            <KeyRound size={16} aria-hidden="true" />
            {keys.title}
          </Link>
          <button type="button" className={classes.out} onClick={() => void signOut(queries)}>
            <LogOut size={16} aria-hidden="true" />
            {poster.account.signOut}
          </button>
        </span>
      }
      {...(isNew ? {} : { actions: <NewButton /> })}
    >
      {isNew ? null : (
        <NativeSelect
          className={classes.filter}
          label={text.filter}
          value={status}
          onChange={(event) => setStatus(STATUSES.find((each) => each === event.currentTarget.value) ?? '')}
          data={[
            { value: '', label: text.all },
            ...STATUSES.map((value) => ({ value, label: messages.status[value] })),
          ]}
        />
      )}
      <ProjectList result={result} status={status} />
    </Page>
  );
}

function NewButton() {
  return (
    <Button
      component={Link}
      to="/poster/draft"
      className={classes.new}
      leftSection={<Plus size={18} aria-hidden="true" />}
    >
      {text.new}
    </Button>
  );
}

type Listed = ApiData<typeof LIST>['projects'][number];

/** Reads the list by its cursor, so no project is skipped or repeated while others move. */
function useProjects(posterId: string, status: ProjectStatus | '') {
  return useInfiniteQuery({
    queryKey: [LIST, posterId, 'urgency', status],
    queryFn: ({ pageParam, signal }) =>
      posterApi.call(LIST, {
        query: {
          order: 'urgency',
          limit: PAGE,
          ...(status === '' ? {} : { status }),
          ...(pageParam ? { cursor: pageParam } : {}),
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.pagination.next_cursor,
    refetchInterval: ({ state }) => (state.error ? EVERY_MS * 2 : EVERY_MS),
  });
}

function ProjectList({ result, status }: { result: ReturnType<typeof useProjects>; status: ProjectStatus | '' }) {
  if (!result.data) return <NoData of={result} height={220} />;
  const projects = result.data.pages.flatMap((page) => page.projects);
  if (projects.length === 0)
    return status === '' ? (
      <EmptyState
        icon={<FilePlus2 size={32} aria-hidden="true" />}
        title={text.empty.title}
        text={text.empty.text}
        action={<NewButton />}
      />
    ) : (
      <EmptyState title={text.emptyFilter.title} text={text.emptyFilter.text} />
    );
  return (
    <>
      <ul className={classes.list}>
        {projects.map((project) => (
          <ProjectRow key={project.id} project={project} />
        ))}
      </ul>
      {result.hasNextPage ? (
        <Button
          variant="default"
          className={classes.more}
          loading={result.isFetchingNextPage}
          onClick={() => void result.fetchNextPage()}
        >
          {messages.more}
        </Button>
      ) : null}
    </>
  );
}

function ProjectRow({ project }: { project: Listed }) {
  const link =
    project.status === 'draft'
      ? { to: '/poster/draft', search: { id: project.id } }
      : { to: '/poster/projects/$projectId', params: { projectId: project.id } };
  const { unscored_submissions: unscored } = project;
  return (
    <li className={classes.row}>
      <Look project={project} />
      <div className={classes.name}>
        <StatusBadge status={project.status} />
        <Link {...link} className={classes.title}>
          {project.title}
        </Link>
      </div>
      <dl className={classes.facts}>
        <div>
          <dt>{text.prize}</dt>
          <dd>
            <Money micro={project.prize_amount_micro} short />
          </dd>
        </div>
        <div>
          <dt>{text.entries}</dt>
          <dd>{entriesOf(project)}</dd>
          {unscored ? <dd className="soft">{poster.facts.unscored({ amount: unscored })}</dd> : null}
        </div>
        <When project={project} />
      </dl>
      <Link
        to="/poster/draft"
        search={{ copy: project.id }}
        className={classes.copy}
        aria-label={posterBrief.copy.of({ title: project.title })}
      >
        {posterBrief.copy.button}
      </Link>
    </li>
  );
}

/** The winning or newest entry. The title beside it names the project, so the picture needs no text. */
function Look({ project: { id, shown_entry: entry, color_preferences: colors } }: { project: Listed }) {
  return (
    <div className={classes.look}>
      {entry ? (
        <img src={sameOriginPath(entry.thumbnail_url)} alt="" width={entry.width} height={entry.height} />
      ) : (
        <Cover id={id} colors={colors} />
      )}
    </div>
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
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
