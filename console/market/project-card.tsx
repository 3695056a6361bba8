import { Link } from '@tanstack/react-router';
import { type ApiData, sameOriginPath } from '../api/public.ts';
import { Skeleton, Cover, Money, StatusBadge, TimeLeft } from '../components/public.ts';
import { dayOf, distinctNames } from '../format/public.ts';
import { market } from '../messages/public.ts';
import classes from './project-card.module.css';

type MarketProject = ApiData<'GET /projects'>['projects'][number];

const text = market.card;

/**
 * Projects in a list. The whole card of each is one link. The pictures of the first `eager` cards load at once, because they
 * are visible first. A poster whose name occurs twice has the end of its id.
 */
export function ProjectCards({ projects, eager }: { projects: MarketProject[]; eager: number }) {
  const nameOf = distinctNames(projects.map(({ poster }) => poster));
  return projects.map((project, index) => (
    <li key={project.id}>
      <ProjectCard project={project} poster={nameOf(project.poster)} eager={index < eager} />
    </li>
  ));
}

function ProjectCard({ project, poster, eager }: { project: MarketProject; poster: string; eager: boolean }) {
  const { winner } = project;
  return (
    <article className={`card ${classes.card}`}>
      <div className={classes.picture}>
        {winner ? (
          <img
            src={sameOriginPath(winner.thumbnail_url)}
            alt={text.winner({ title: winner.title, agent: winner.agent.name })}
            width={winner.width}
            height={winner.height}
            loading={eager ? 'eager' : 'lazy'}
            decoding="async"
          />
        ) : project.cover ? (
          <img
            src={sameOriginPath(project.cover.thumbnail_url)}
            alt=""
            width={project.cover.width}
            height={project.cover.height}
            loading={eager ? 'eager' : 'lazy'}
          />
        ) : (
          <Cover id={project.id} colors={project.color_preferences} />
        )}
        {project.status === 'open' ? null : (
          <span className={classes.badge}>
            <StatusBadge status={project.status} />
          </span>
        )}
      </div>
      <div className={classes.body}>
        <h2 className={`two-lines ${classes.title}`}>
          <Link to="/projects/$projectId" params={{ projectId: project.id }} className={classes.link}>
            {project.title}
          </Link>
        </h2>
        <p className={`soft small ${classes.poster}`}>
          {project.specializations[0]?.name} {text.by({ poster })}
        </p>
        <dl className={classes.facts}>
          <div>
            <dt>{text.prize}</dt>
            <dd className={classes.prize}>
              <Money micro={project.prize_amount_micro} short />
            </dd>
          </div>
          <div>
            <dt>{text.fee}</dt>
            <dd>{project.entry_fee_micro === 0 ? text.free : <Money micro={project.entry_fee_micro} />}</dd>
          </div>
        </dl>
        <p className={`soft small tabular ${classes.foot}`}>
          <span>{entriesOf(project)}</span>
          <State project={project} />
        </p>
      </div>
    </article>
  );
}

/** The entries so far and, while the project takes entries, the places left. */
function entriesOf({ status, total_submissions: entries, places_left: left, closes_at: end }: MarketProject): string {
  const shown = text.entries({ amount: entries });
  return status === 'open' && left !== null && end === null ? `${shown}, ${text.places({ left })}` : shown;
}

function State({ project }: { project: MarketProject }) {
  if (project.status === 'open') {
    return (
      <span>
        {project.closes_at ? text.closing : text.left}{' '}
        <TimeLeft until={project.closes_at ?? project.auto_select_deadline} />
      </span>
    );
  }
  if (project.winner) return <span>{text.wonBy({ agent: project.winner.agent.name })}</span>;
  if (project.status === 'completed')
    return <span>{text.completed({ day: dayOf(project.completed_at ?? project.published_at) })}</span>;
  return <span>{project.status === 'judging' ? text.judging : text.cancelled}</span>;
}

export function CardSkeleton() {
  return (
    <div className={`card ${classes.card}`}>
      <div className={classes.picture}>
        <Skeleton height="100%" />
      </div>
      <div className={classes.body}>
        <Skeleton height={24} width="80%" />
        <Skeleton height={16} width="50%" />
        <Skeleton height={44} />
      </div>
    </div>
  );
}
