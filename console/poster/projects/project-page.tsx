import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { NoData, Page, Panel, SideLayout, CodeBlock, Money, StatusBadge, TimeLeft } from '../../components/public.ts';
import { spanInWords, timeOf } from '../../format/public.ts';
import { notifications, poster, posterBrief, rights } from '../../messages/public.ts';
import { MoneyView, ProjectFacts, ProjectRules, ProjectState, useTerms } from '../../public-project/public.ts';
import { useParam } from '../../shell/public.ts';
import { Breadcrumb } from '../account/breadcrumb.tsx';
import { type OwnProject, useOwnProject, useShowProject } from '../account/own-projects.ts';
import { JudgeGallery } from '../gallery/judge-gallery.tsx';
import { Handover } from '../handover/handover.tsx';
import { BriefText } from '../viewer/brief-text.tsx';
import { PayoutView } from './payout-view.tsx';
import { isClosing, ProjectActions } from './project-actions.tsx';
import classes from './project-page.module.css';
import { Questions } from './questions.tsx';

const facts = poster.facts;

/** Cache key of the route that `MoneyView` uses. */
const MONEY = 'GET /projects/{project_id}/money';

export function ProjectPage() {
  const projectId = useParam('projectId');
  const query = useOwnProject(projectId);
  const queries = useQueryClient();
  const { status, payout_status: payout, total_submissions: entries } = query.data?.project ?? {};
  const stage = `${status} ${payout} ${entries}`;
  // Refetch the transfers at once when the project's stage changes, or when an entry brings its fee.
  useEffect(() => void queries.invalidateQueries({ queryKey: [MONEY] }), [queries, stage]);
  if (!query.data)
    return (
      <Page title={poster.home.title} above={<Breadcrumb />} wide>
        <NoData of={query} height={420} />
      </Page>
    );
  const { project } = query.data;
  return (
    <Page
      title={project.title}
      above={
        <span className="row">
          <Breadcrumb />
          <StatusBadge status={project.status} />
          <Link to="/poster/draft" search={{ copy: project.id }}>
            {posterBrief.copy.button}
          </Link>
        </span>
      }
      lead={<Stage project={project} />}
      wide={project.status !== 'draft'}
    >
      {project.status === 'draft' ? (
        <Link to="/poster/draft" search={{ id: project.id }}>
          {poster.draft.edit}
        </Link>
      ) : (
        <Published key={projectId} project={project} onMore={() => void query.refetch()} />
      )}
      {project.published_at ? <MoneyView project={project} /> : null}
    </Page>
  );
}

type PublishedProps = {
  project: OwnProject;
  onMore: () => void;
};

/** Once the brief has a winner, the delivery and its payout come before everything else. */
function Published({ project, onMore }: PublishedProps) {
  const onChanged = useShowProject();
  const isHandedOver = project.winner_submission_id !== null && project.selection !== null;
  const isOpen = project.status === 'open';
  const [isShown, setShown] = useState(true);
  return (
    <>
      {isHandedOver ? (
        <div className={`stack loose ${classes.handover}`}>
          <Handover project={project} />
          <PayoutView project={project} />
        </div>
      ) : null}
      <SideLayout
        leads={!isHandedOver}
        label={facts.side}
        side={
          isShown ? (
            <>
              <Glance project={project} />
              <Brief project={project} />
              <ProjectActions project={project} onChanged={onChanged} />
            </>
          ) : null
        }
      >
        <Result project={project} />
        {isHandedOver ? null : <PayoutView project={project} />}
        {isOpen ? <Questions project={project} /> : null}
        <JudgeGallery
          project={project}
          empty={isOpen ? <Opened project={project} /> : null}
          brief={{ isShown, toggle: () => setShown(!isShown) }}
          onChosen={onChanged}
          onMore={onMore}
        />
        {isOpen ? null : <Questions project={project} />}
        <ProjectRules project={project} />
      </SideLayout>
    </>
  );
}

/** Says that the brief is open, with its link, what happens next, and when. */
function Opened({ project }: { project: OwnProject }) {
  const { auto_select_deadline: deadline, judging_hours: hours } = project;
  const text = poster.opened;
  return (
    <Panel id="opened" title={text.title} heading="h3">
      <p>{text.next({ at: timeOf(deadline), hours: hours === 0 ? 'none' : spanInWords(hours * 3_600_000) })}</p>
      <p>
        {text.away} <Link to="/poster/notifications">{notifications.title}</Link>
      </p>
      <p>{text.share}</p>
      <CodeBlock text={`${location.origin}/projects/${project.id}`} what={text.link} wrap />
    </Panel>
  );
}

/** The brief beside the entries. A long one scrolls in itself, so that what follows stays near. */
function Brief({ project }: { project: OwnProject }) {
  return (
    <Panel id="own-brief" title={facts.brief}>
      {/* A scrollable region must be reachable by keyboard. */}
      <div className={classes.brief} role="region" aria-label={poster.viewer.brief} tabIndex={0}>
        <BriefText project={project} />
      </div>
    </Panel>
  );
}

function stageOf(project: OwnProject, grace: string): string {
  const { stage } = poster;
  const { status, selection } = project;
  if (status === 'draft') return poster.draft.lead;
  if (status === 'open') return openStageOf(project, grace);
  if (project.result_on_hold) return stage.held;
  const hasShares = selection === 'silence' || selection === 'shared';
  if (status === 'completed') return hasShares ? stage.shares : stage.completed;
  if (selection !== null && status === 'judging') return hasShares ? stage.payingShares : stage.paying;
  return stage[status];
}

/** The stage of a project. How long paid entries can be confirmed after the end is in its terms. */
function Stage({ project }: { project: OwnProject }) {
  const isAfterEnd = project.status === 'open' && isClosing(project);
  const { data } = useTerms(isAfterEnd ? project : { ...project, terms_version: null });
  const graceSeconds = data?.terms.confirm_grace_seconds;
  return stageOf(project, graceSeconds ? spanInWords(graceSeconds * 1000) : 'none');
}

function openStageOf(project: OwnProject, grace: string): string {
  const { stage } = poster;
  if (project.planned_no_winner) return stage.plannedNobody;
  if (project.planned_winner_id !== null) return stage.planned;
  if (isClosing(project)) return stage.closing({ span: grace });
  if (project.closes_at) return stage.announced;
  return project.places_left === 0 ? stage.full : stage.open;
}

function Glance({ project }: { project: OwnProject }) {
  const { status, judging_ends_at: judgeUntil, licence } = project;
  const isJudged = status === 'judging' && project.selection === null && project.result_on_hold === null;
  return (
    <ProjectFacts
      project={project}
      more={[
        [facts.winner, status === 'cancelled' ? null : <Money key="winner" micro={project.winner_receives_micro} />],
        [facts.judgeUntil, isJudged && judgeUntil ? <TimeLeft key="judge" until={judgeUntil} /> : null],
        [rights.licence, rights.licences[licence].name],
        [rights.gallery, rights.galleries[project.gallery].name],
      ]}
    >
      {project.published_at ? (
        <Link to="/projects/$projectId" params={{ projectId: project.id }}>
          {facts.seePublic}
        </Link>
      ) : null}
    </ProjectFacts>
  );
}

/** Says what the service or the operator decided. */
function Result({ project }: { project: OwnProject }) {
  const { status, hold_reason: reason } = project;
  if (status === 'open' || (status === 'judging' && project.result_on_hold === null)) return null;
  return (
    <>
      <ProjectState project={project} />
      {reason === null ? null : <p className="words">{poster.hold.reason({ reason })}</p>}
    </>
  );
}
