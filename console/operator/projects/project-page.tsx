import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Facts } from '../../components/data/public.ts';
import { Columns, Page, Section } from '../../components/layout/public.ts';
import { CopyText, Money, StatusBadge, TimeLeft } from '../../components/values/public.ts';
import { timeOf } from '../../format/public.ts';
import { agent, operator } from '../../messages/public.ts';
import { useParam } from '../../shell/public.ts';
import { QueryResult, Specializations, useAction } from '../../signed-in/public.ts';
import { LIST_MS, useApiQuery, useRefresh } from '../area/public.ts';
import classes from './project-page.module.css';
import {
  type Ask,
  canBeEnded,
  canBeReopened,
  cancelAction,
  holdAction,
  type Project,
  releaseAction,
  reopenAction,
  shareAction,
} from './project-actions.tsx';
import { Entries } from './project-entries.tsx';
import { Questions } from './project-questions.tsx';
import { ResultOnHold } from './project-hold.tsx';

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
      actions={project ? <Actions of={project} ask={ask} /> : undefined}
    >
      <QueryResult of={query}>{(data) => <Detail of={data.project} ask={ask} />}</QueryResult>
      {dialog}
    </Page>
  );
}

function Actions({ of: project, ask }: { of: Project; ask: Ask }) {
  if (canBeReopened(project))
    return (
      <Button variant="default" onClick={() => ask(reopenAction(project))}>
        {text.reopen}
      </Button>
    );
  if (!canBeEnded(project)) return null;
  const { result_on_hold: result, total_submissions: entries } = project;
  return (
    <>
      {result === null ? null : <Button onClick={() => ask(releaseAction(project))}>{text.release}</Button>}
      {result === null || result.pay_after === null ? null : (
        <Button variant="default" onClick={() => ask(holdAction(project))}>
          {text.hold}
        </Button>
      )}
      {entries === 0 ? null : (
        <Button variant="default" onClick={() => ask(shareAction(project))}>
          {text.share}
        </Button>
      )}
      <Button variant="default" onClick={() => ask(cancelAction(project))}>
        {text.cancel}
      </Button>
    </>
  );
}

function Detail({ of: project, ask }: { of: Project; ask: Ask }) {
  return (
    <>
      <ResultOnHold project={project} />
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
        <Section title={text.entries({ amount: project.total_submissions })}>
          <Entries project={project} ask={ask} />
        </Section>
      )}
      {project.published_at === null ? null : <Questions projectId={project.id} ask={ask} />}
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
        <Link to="/operator/posters/$posterId" params={{ posterId: project.poster.id }}>
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
          <TimeLeft until={project.closes_at ?? project.auto_select_deadline} />
        ) : (
          timeOf(project.closed_at ?? project.cancelled_at ?? project.auto_select_deadline)
        ),
    },
    ...(project.status === 'open' ? when(facts.announced, project.closes_at) : []),
    ...(project.status === 'open' ? when(facts.latest, project.latest_deadline) : []),
    ...when(facts.decided, project.judging_ends_at),
    ...when(facts.held, project.result_on_hold?.pay_after ?? null),
    ...when(facts.awarded, project.awarded_at),
    ...when(facts.completed, project.completed_at),
    ...(project.payout_status ? [{ label: facts.payout, value: agent.history.payouts[project.payout_status] }] : []),
    ...when(facts.cancelled, project.cancelled_at),
    ...(project.cancelled_by ? [{ label: facts.cancelledBy, value: text.cancellers[project.cancelled_by] }] : []),
    ...(project.cancel_reason ? [{ label: facts.reason, value: reasonOf(project.cancel_reason) }] : []),
  ];
}

/** The service records its own reason as a code. */
function reasonOf(reason: string): string {
  return reason === 'silence' ? text.silence : reason;
}
