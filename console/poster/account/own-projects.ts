import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type ApiData, type ApiInput, apiQuery } from '../../api/public.ts';
import { createHooks } from '../../signed-in/public.ts';
import { posterApi, posterStore } from './poster-session.ts';

type Own = ApiData<'GET /posters/me/projects/{project_id}'>;
export type OwnProject = Own['project'];
export type OwnReference = Own['references'][number];

export const { useApiPages, useRefresh } = createHooks(posterStore);

const AWARDED_MS = 2_000;
const RUNNING_MS = 10_000;
// The URLs of reference pictures expire after an hour.
const RENEW_MS = 30 * 60_000;

/** The cache key contains the poster, so posters never share data. */
const queryOf = (id: string) =>
  apiQuery(
    'GET /posters/me/projects/{project_id}',
    { params: { project_id: id } },
    { as: { api: posterApi, owner: posterStore.owner() } },
  );

/** Fetches a project, if there is one, and refetches it more often while a change is expected. */
export function useOwnProject(id: string | null) {
  return useQuery({
    ...queryOf(id ?? ''),
    enabled: id !== null,
    refetchInterval: ({ state }) => {
      const project = state.data?.project;
      if (!project || state.error) return RUNNING_MS * 2;
      // The other states of a payout can last for days.
      if (project.payout_status === 'pending') return AWARDED_MS;
      return project.status === 'open' || project.status === 'judging' ? RUNNING_MS : RENEW_MS;
    },
  });
}

/** Returns a function that shows a project as the service has answered it. */
export function useShowProject(): (project: OwnProject) => void {
  const queries = useQueryClient();
  return useCallback(
    (project) => {
      const { queryKey } = queryOf(project.id);
      const known = queries.getQueryData(queryKey);
      // A duplicate has pictures that the answer lacks: stale data is read again as soon as a page shows it.
      const age = known ? undefined : { updatedAt: 0 };
      queries.setQueryData(queryKey, { references: known?.references ?? [], project }, age);
    },
    [queries],
  );
}

/** Every action gets its project, and tells when it has changed it. */
export type ProjectActionsProps = { project: OwnProject; onChanged: (project: OwnProject) => void };

type Change = ApiInput<'PATCH /posters/me/projects/{project_id}'>['body'];

/** Changes a draft, or what can still be changed of a published brief. */
export async function changeProject({ id }: Pick<OwnProject, 'id'>, body: Change): Promise<OwnProject> {
  const input = { params: { project_id: id }, body };
  return (await posterApi.call('PATCH /posters/me/projects/{project_id}', input)).project;
}
