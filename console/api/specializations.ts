import { useQuery } from '@tanstack/react-query';
import { apiQuery } from './query-client.ts';

const FRESH_MS = 600_000;

/** Returns the catalog of specializations, which seldom changes. */
export function useSpecializations() {
  const { data } = useQuery({ ...apiQuery('GET /specializations', {}), staleTime: FRESH_MS });
  return data?.specializations ?? [];
}

/** Returns the names of all categories. */
export function useCategories(): string[] {
  return [...new Set(useSpecializations().map(({ category }) => category))];
}
