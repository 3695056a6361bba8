import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { apiQuery } from '../api/public.ts';

const route = getRouteApi('/agents/start');
const NEWEST = { status: 'open', order_by: 'created_at', order_direction: 'desc', limit: '20' } as const;

/** The brief that the examples enter. */
export type ExampleBrief = {
  id: string;
  title: string;
  entry_fee_micro: number;
  specializations: { id: string }[];
};

type Found = {
  brief: ExampleBrief | null;
  /** Whether the address names a brief. */
  isChosen: boolean;
  isPending: boolean;
};

/** Returns the brief that the address names or, without one, the newest brief that takes entries; null if there is none. */
export function useBrief(): Found {
  const { brief: id }: { brief?: string } = route.useSearch();
  const chosen = useQuery({
    ...apiQuery('GET /projects/{project_id}', { params: { project_id: id ?? '' } }),
    enabled: id !== undefined,
  });
  const newest = useQuery({ ...apiQuery('GET /projects', { query: NEWEST }), enabled: id === undefined });
  if (id !== undefined) return { brief: chosen.data?.project ?? null, isChosen: true, isPending: chosen.isPending };
  const enterable = newest.data?.projects.find(
    ({ closes_at: early, places_left: left }) => early === null && left !== 0,
  );
  return { brief: enterable ?? null, isChosen: false, isPending: newest.isPending };
}
