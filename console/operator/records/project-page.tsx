import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ApiData, sameOriginPath } from '../../api/public.ts';
import { Facts } from '../../components/data/public.ts';
import { Columns, Page, Section } from '../../components/layout/public.ts';
import { Badge, CopyText, Money, StatusBadge, TimeLeft } from '../../components/values/public.ts';
import { timeOf, usdc } from '../../format/public.ts';
import { agent, operator, signedIn } from '../../messages/public.ts';
import { useParam } from '../../shell/public.ts';
import { type Action, Paged, QueryResult, Specializations, useAction } from '../../signed-in/public.ts';
import { LIST_MS, operatorStore, useApiPages, useApiQuery, useRefresh } from '../area/public.ts';
import classes from './detail-page.module.css';

type Project = ApiData<'GET /operator/projects/{project_id}'>['project'];
type Entry = ApiData<'GET /operator/projects/{project_id}/submissions'>['submissions'][number];
type Ask = (action: Action) => void;

const text = operator.project;

export function ProjectPage() {
  const projectId = useParam('projectId');
  const query = useApiQuery('GET /operator/projects/{project_id}', { params: { project_id: projectId } }, LIST_MS);
  const refresh = useRefresh();
  const { ask, dialog } = useAction(refresh);
  const project = query.data?.project;
  return (
    <Page
      title={project?.title ?? operator.projects.title}
      heading={
        project ? (
          <span className={classes.heading}>
            {project.title} <StatusBadge status={project.status} />
          </span>
        ) : undefined
      }
      above={<Link to="/operator/projects">{text.back}</Link>}
      actions={
        project && canBeCancelled(project) ? (
          <Button variant="default" onClick={() => ask(cancelAction(project))}>
            {text.cancel}
          </Button>
        ) : undefined
      }
    >
      <QueryResult of={query}>{(data) => <Detail of={data.project} ask={ask} />}</QueryResult>
      {dialog}
    </Page>
  );
}

function canBeCancelled({ status, awarded_at: awardedAt }: Project): boolean {
  return (status === 'open' || status === 'judging') && awardedAt === null;
}

function cancelAction({ id, prize_micro: prizeMicro }: Project): Action {
  return {
    title: text.cancelTitle,
    text: text.cancelText(usdc(prizeMicro)),
    confirm: text.cancel,
    destructive: true,
    reason: signedIn.reason,
    run: async (reason) => {
      const path = 'POST /operator/projects/{project_id}/cancel';
      return (await operatorStore.api.call(path, { params: { project_id: id }, body: { reason } })).message;
    },
  };
}

function Detail({ of: project, ask }: { of: Project; ask: Ask }) {
  return (
    <>
      <Columns>
        <Section title={text.brief}>
          <p className={classes.text}>{project.description}</p>
          {project.requirements === '' ? null : (
            <>
              <h3>{text.requirements}</h3>
              <p className={classes.text}>{project.requirements}</p>
            </>
          )}
          <ul className={classes.links}>
            {project.published_at === null ? null : (
              <li>
                <Link to="/projects/$projectId" params={{ projectId: project.id }}>
                  {text.links.public}
                </Link>
              </li>
            )}
            <li>
              <Link to="/operator/payouts" search={{ project_id: project.id }}>
                {text.links.payouts}
              </Link>
            </li>
            <li>
              <Link to="/operator/audit" search={{ subject: `project:${project.id}` }}>
                {text.links.audit}
              </Link>
            </li>
          </ul>
        </Section>
        <Facts facts={factsOf(project)} />
      </Columns>
      {project.published_at === null ? null : (
        <Section title={text.entries(project.total_submissions)}>
          <Entries project={project} ask={ask} />
        </Section>
      )}
    </>
  );
}

function factsOf(project: Project) {
  const { facts } = text;
  const when = (label: string, at: string | null) => (at === null ? [] : [{ label, value: timeOf(at) }]);
  return [
    { label: facts.id, value: <CopyText value={project.id} what={text.id} /> },
    {
      label: facts.poster,
      value: (
        <Link to="/operator/projects" search={{ poster_id: project.poster.id }}>
          {project.poster.name}
        </Link>
      ),
    },
    { label: facts.prize, value: <Money micro={project.prize_micro} /> },
    { label: facts.fee, value: <Money micro={project.entry_fee_micro} /> },
    { label: facts.specializations, value: <Specializations ids={project.specializations} /> },
    ...when(facts.drafted, project.created_at),
    ...when(facts.published, project.published_at),
    {
      label: project.status === 'open' ? facts.closes : facts.closed,
      value:
        project.status === 'open' ? (
          <TimeLeft until={project.auto_select_deadline} />
        ) : (
          timeOf(project.closed_at ?? project.auto_select_deadline)
        ),
    },
    ...when(facts.decided, project.judging_ends_at),
    ...when(facts.awarded, project.awarded_at),
    ...when(facts.completed, project.completed_at),
    ...(project.payout_status ? [{ label: facts.payout, value: agent.history.payouts[project.payout_status] }] : []),
    ...(project.cancel_reason ? [{ label: facts.reason, value: project.cancel_reason }] : []),
  ];
}

function Entries({ project, ask }: { project: Project; ask: Ask }) {
  const query = useApiPages(
    'GET /operator/projects/{project_id}/submissions',
    { params: { project_id: project.id }, query: { limit: 24 } },
    { next: (page) => page.next_cursor, everyMs: LIST_MS },
  );
  const entries = query.data?.pages.flatMap(({ submissions }) => submissions) ?? [];
  return (
    <Paged query={query} count={entries.length} empty={text.noEntries}>
      <ul className={classes.entries}>
        {entries.map((entry) => (
          <li key={entry.id} className={classes.entry}>
            <a href={sameOriginPath(entry.image_url)} target="_blank" rel="noreferrer">
              <img
                className={classes.picture}
                src={sameOriginPath(entry.thumbnail_url)}
                alt={text.picture(entry.title, entry.agent.name)}
                width={entry.width}
                height={entry.height}
                loading="lazy"
              />
            </a>
            <EntryWords entry={entry} isWinner={entry.id === project.winner_submission_id} />
            {canBeCancelled(project) && entry.disqualified_at === null ? (
              <Button
                variant="default"
                size="xs"
                aria-label={text.disqualifyOf(entry.title)}
                onClick={() => ask(disqualifyAction(entry))}
              >
                {text.disqualify}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
    </Paged>
  );
}

function EntryWords({ entry, isWinner }: { entry: Entry; isWinner: boolean }) {
  return (
    <div className={classes.words}>
      <p className={classes.entryTitle}>{entry.title}</p>
      <p>
        <Link to="/operator/agents/$agentId" params={{ agentId: entry.agent.id }}>
          {text.by(entry.agent.name)}
        </Link>
      </p>
      <p className="soft">{entry.score === null ? text.unscored : text.score(entry.score)}</p>
      {isWinner ? (
        <p>
          <Badge tone="accent">{text.winner}</Badge>
        </p>
      ) : null}
      {entry.disqualified_at === null ? null : <p>{text.disqualified(entry.disqualify_reason ?? '')}</p>}
    </div>
  );
}

function disqualifyAction({ id, title, project_id: projectId }: Entry): Action {
  return {
    title: text.disqualifyTitle(title),
    text: text.disqualifyText,
    confirm: text.disqualify,
    destructive: true,
    reason: signedIn.reason,
    run: async (reason) => {
      const path = 'POST /operator/projects/{project_id}/submissions/{submission_id}/disqualify';
      const params = { project_id: projectId, submission_id: id };
      return (await operatorStore.api.call(path, { params, body: { reason } })).message;
    },
  };
}
