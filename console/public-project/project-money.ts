import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { ProjectStatus } from '../../contract/projects/projects.ts';
import { apiPages } from '../api/public.ts';

const EVERY_MS = 15_000;

/** Every transfer of a project. Once the last payout or refund has settled, the list no longer changes. */
export function useMoney({ id: projectId, status }: { id: string; status: ProjectStatus }) {
  return useInfiniteQuery({
    ...apiPages('GET /projects/{project_id}/money', { params: { project_id: projectId } }),
    // A change of the status moves money, so the list is fetched anew.
    queryKey: ['GET /projects/{project_id}/money', projectId, status],
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (isOver(status, data?.pages[0]?.held_micro) ? false : EVERY_MS),
  });
}

/** A cancelled project is over before its refunds have settled. */
function isOver(status: ProjectStatus, heldMicro: number | undefined): boolean {
  return status === 'completed' || (status === 'cancelled' && heldMicro === 0);
}
