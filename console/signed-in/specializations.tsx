import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../api/public.ts';

const FRESH_MS = 600_000;

/** Returns the catalog of specializations, which is public. */
function useCatalog() {
  const { data } = useQuery({ ...apiQuery('GET /specializations', {}), staleTime: FRESH_MS });
  return data?.specializations ?? [];
}

/** Returns the names of all categories. */
export function useCategories(): string[] {
  return [...new Set(useCatalog().map(({ category }) => category))];
}

/** Shows specializations by name. An id that the catalog no longer has is shown as it is. */
export function Specializations({ ids }: { ids: string[] }) {
  const names = new Map(useCatalog().map(({ id, name }) => [id, name]));
  return ids.map((id) => names.get(id) ?? id).join(', ');
}
