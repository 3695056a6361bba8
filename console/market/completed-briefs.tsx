import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../api/public.ts';
import { market } from '../messages/public.ts';
import classes from './market-page.module.css';
import { ProjectCards } from './project-card.tsx';

const QUERY = { status: 'completed', order_by: 'created_at', order_direction: 'desc', limit: '6' } as const;

/** The completed briefs that were published last, for a market without an open one. */
export function CompletedBriefs() {
  const projects = useQuery(apiQuery('GET /projects', { query: QUERY })).data?.projects ?? [];
  if (projects.length === 0) return null;
  return (
    <>
      <h3 className="spaced">{market.completedBriefs}</h3>
      <ul className={classes.grid}>
        <ProjectCards projects={projects} eager={0} />
      </ul>
    </>
  );
}
