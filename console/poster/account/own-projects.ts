import { useQuery } from '@tanstack/react-query';
import { type ApiData, type ApiInput, apiQuery, type Route } from '../../api/public.ts';
import { posterApi } from './poster-session.ts';

export type OwnProject = ApiData<'GET /posters/me/projects/{project_id}'>['project'];

/** What the signed-in poster may read: kept apart from what another one saw in this browser. */
export function ownQuery<R extends Route>(who: string, route: R, input: ApiInput<R>, everyMs?: number) {
  return apiQuery(route, input, { as: { api: posterApi, who }, ...(everyMs === undefined ? {} : { everyMs }) });
}

export const projectRoute = 'GET /posters/me/projects/{project_id}' as const;

const AWARDED_MS = 2_000;
const RUNNING_MS = 10_000;

/** Looked at the more often the sooner something can happen. */
export function useOwnProject(who: string, projectId: string) {
  const query = ownQuery(who, projectRoute, { params: { project_id: projectId } });
  return useQuery({
    ...query,
    refetchInterval: ({ state }) => {
      const project = state.data?.project;
      if (!project || state.error) return RUNNING_MS * 2;
      if (isSettling(project)) return AWARDED_MS;
      return project.status === 'open' || project.status === 'judging' ? RUNNING_MS : false;
    },
  });
}

/** Awarded or cancelled, with money on its way. */
function isSettling({ payout_status: state }: OwnProject): boolean {
  return state !== null && state !== 'settled';
}
