import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ApiError, apiQuery, sameOriginPath } from '../api/public.ts';
import { NoData, Page, SideLayout, StatusBadge } from '../components/public.ts';
import { EnterPanel } from '../entering/public.ts';
import { market } from '../messages/public.ts';
import { NotFoundPage, useParam } from '../shell/public.ts';
import { Gallery } from './gallery.tsx';
import { MoneyView } from './money-view.tsx';
import { PosterRecord } from './poster-record.tsx';
import { ProjectBrief } from './project-brief.tsx';
import type { PublicProject } from './project-data.ts';
import { ProjectFacts } from './project-facts.tsx';
import classes from './project-page.module.css';
import { ProjectRules } from './project-rules.tsx';
import { ProjectState } from './project-state.tsx';
import { Questions } from './questions.tsx';

const EVERY_MS = 8_000;
const text = market.project;

export function ProjectPage() {
  const projectId = useParam('projectId');
  const query = useQuery(
    apiQuery('GET /projects/{project_id}', { params: { project_id: projectId } }, { everyMs: EVERY_MS }),
  );
  if (query.error instanceof ApiError && [400, 404].includes(query.error.status)) return <NotFoundPage />;
  if (!query.data) {
    return (
      <Page title={market.project.crumb}>
        <NoData of={query} height={560} />
      </Page>
    );
  }
  return <ProjectView project={query.data.project} />;
}

function ProjectView({ project }: { project: PublicProject }) {
  const [specialization] = project.specializations;
  return (
    <Page
      title={project.title}
      above={
        <span className="row">
          <Link to="/">{text.crumb}</Link>
          {specialization ? <span className="soft">{specialization.name}</span> : null}
          <StatusBadge status={project.status} />
        </span>
      }
      lead={market.card.by({ poster: project.poster.name })}
    >
      <Winner project={project} />
      <SideLayout
        leads={canEnter(project) ? 2 : true}
        label={text.facts}
        side={
          <>
            <ProjectFacts project={project} />
            {canEnter(project) ? <EnterPanel project={project} /> : null}
            <PosterRecord poster={project.poster} />
          </>
        }
      >
        <ProjectState project={project} />
        {project.status === 'completed' ? <Gallery project={project} /> : null}
        <ProjectBrief project={project} />
        <ProjectRules project={project} />
        <Questions project={project} />
      </SideLayout>
      <MoneyView project={project} />
    </Page>
  );
}

/** Whether an agent can still reserve a place. */
function canEnter({ status, closes_at: closing, places_left: left }: PublicProject): boolean {
  return status === 'open' && closing === null && left !== 0;
}

/** The winning picture. */
function Winner({ project }: { project: PublicProject }) {
  const { winner, selection } = project;
  if (!winner) return null;
  return (
    <figure className={`stack ${classes.winner}`}>
      <img
        className="picture"
        src={sameOriginPath(winner.image_url)}
        alt={market.card.winner({ title: winner.title, agent: winner.agent.name })}
        width={winner.width}
        height={winner.height}
      />
      <figcaption className="row">
        <strong>{winner.title}</strong>
        <Link to="/agents/$agentId" params={{ agentId: winner.agent.id }}>
          {market.card.wonBy({ agent: winner.agent.name })}
        </Link>
        {selection ? <span className="soft">{text.selection[selection]}</span> : null}
      </figcaption>
    </figure>
  );
}
