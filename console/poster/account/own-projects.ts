import { useQuery } from '@tanstack/react-query';
import { type ApiData, type ApiInput, apiQuery, type Route } from '../../api/public.ts';
import { posterApi } from './poster-session.ts';

export type OwnProject = ApiData<'GET /posters/me/projects/{project_id}'>['project'];

/** Query options for a poster's own data. The cache key contains the poster, so posters never share data. */
export function ownQuery<R extends Route>(posterId: string, route: R, input: ApiInput<R>, everyMs?: number) {
  return apiQuery(route, input, {
    as: { api: posterApi, owner: posterId },
    ...(everyMs === undefined ? {} : { everyMs }),
  });
}

export const ownProjectRoute = 'GET /posters/me/projects/{project_id}' as const;

const AWARDED_MS = 2_000;
const RUNNING_MS = 10_000;

/** Fetches one project, and refetches it more often while a change is expected. */
export function useOwnProject(posterId: string, projectId: string) {
  const query = ownQuery(posterId, ownProjectRoute, { params: { project_id: projectId } });
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

/** The project has a payout or a refund that is not settled. */
function isSettling({ payout_status: state }: OwnProject): boolean {
  return state !== null && state !== 'settled';
}

/** Every action gets its project, and tells when it has changed it. */
export type ProjectActionsProps = { project: OwnProject; onChanged: (project: OwnProject) => void };

type Change = ApiInput<'PATCH /posters/me/projects/{project_id}'>['body'];

/** Changes a draft, or what can still be changed of a published brief. */
export async function changeProject({ id }: Pick<OwnProject, 'id'>, body: Change): Promise<OwnProject> {
  const input = { params: { project_id: id }, body };
  return (await posterApi.call('PATCH /posters/me/projects/{project_id}', input)).project;
}
