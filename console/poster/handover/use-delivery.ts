import { useQuery } from '@tanstack/react-query';
import { type ApiData, apiQuery } from '../../api/public.ts';
import type { OwnProject } from '../account/own-projects.ts';
import { posterApi, usePoster } from '../account/poster-session.ts';

const route = 'GET /posters/me/projects/{project_id}/submissions/{submission_id}/delivery';

/** The delivery to the poster of a completed project. */
export type Delivery = ApiData<typeof route>;

/** The project has a winner, and its prize is paid. */
export function isDelivered({ status, winner_submission_id: winner }: OwnProject): boolean {
  return status === 'completed' && winner !== null;
}

/** Fetches the delivery once, because the audit trail records each answer. `refetch` gives new URLs. */
export function useDelivery(project: OwnProject) {
  const { poster } = usePoster();
  const params = { project_id: project.id, submission_id: project.winner_submission_id ?? '' };
  return useQuery({
    ...apiQuery(route, { params }, { as: { api: posterApi, owner: poster.id } }),
    enabled: isDelivered(project),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
