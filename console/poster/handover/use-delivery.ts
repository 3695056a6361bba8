import { useQuery } from '@tanstack/react-query';
import type { ApiData } from '../../api/public.ts';
import { type OwnProject, ownQuery } from '../account/own-projects.ts';

const route = 'GET /posters/me/projects/{project_id}/submissions/{submission_id}/delivery';

/** The delivery to the poster of a completed project. */
export type Delivery = ApiData<typeof route>;

/** The project has a winner, and its prize is paid. */
export function isDelivered({ status, winner_submission_id: winner }: OwnProject): boolean {
  return status === 'completed' && winner !== null;
}

/** Fetches the delivery once, because the audit trail records each answer. `refetch` gives new URLs. */
export function useDelivery(posterId: string, project: OwnProject) {
  const params = { project_id: project.id, submission_id: project.winner_submission_id ?? '' };
  return useQuery({
    ...ownQuery(posterId, route, { params }),
    enabled: isDelivered(project),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
