import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../api/public.ts';

const FRESH_MS = 600_000;

/** The specializations that there are; everyone may read them. */
export function useCatalogue() {
  const { data } = useQuery({ ...apiQuery('GET /specializations', {}), staleTime: FRESH_MS });
  return data?.specializations ?? [];
}

/** Names of the categories in it. */
export function useCategories(): string[] {
  return [...new Set(useCatalogue().map(({ category }) => category))];
}

/** By their names; what the catalogue has no more stays as it is. */
export function Specializations({ ids }: { ids: string[] }) {
  const names = new Map(useCatalogue().map(({ id, name }) => [id, name]));
  return ids.map((id) => names.get(id) ?? id).join(', ');
}
