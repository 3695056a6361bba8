import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ApiInput, apiPages, apiQuery, type Route } from '../api/public.ts';
import type { Session } from './session.ts';

/** Creates the hooks of an area. Their requests carry the area's credentials. */
export function createHooks<Account>(store: Session<Account>) {
  /** Fetches a route, and refetches it every `everyMs` while the page is visible. */
  function useApiQuery<R extends Route>(route: R, input: ApiInput<R>, everyMs?: number) {
    const { owner } = store.use();
    return useQuery(apiQuery(route, input, { as: { api: store.api, owner }, everyMs }));
  }

  /** Fetches the loaded pages of a list. The rows of other filters stay until those of the new ones come. */
  function useApiPages<R extends Route>(route: R, input: ApiInput<R>, everyMs: number) {
    const { owner } = store.use();
    const pages = apiPages(route, input, { as: { api: store.api, owner }, everyMs });
    return useInfiniteQuery({ ...pages, placeholderData: keepPreviousData });
  }

  /** Returns a function that refetches the owner's data after a change, or the data of one route. */
  function useRefresh(only?: Route): () => Promise<void> {
    const queries = useQueryClient();
    return async () =>
      await queries.invalidateQueries({
        predicate: ({ queryKey }) => queryKey.includes(store.owner()) && (only === undefined || queryKey[0] === only),
      });
  }

  return { useApiQuery, useApiPages, useRefresh };
}

/** Filters in the URL: users can link to them, and Back restores them. */
export function useFilters<Name extends string>(names: readonly Name[]) {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const values: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = search[name];
    // The router parses values such as `12` and `true` as JSON.
    if (['string', 'number', 'boolean'].includes(typeof value)) values[name] = String(value);
  }
  const go = (next: Record<string, string | undefined>) =>
    void navigate({ to: '.', search: next, replace: true, resetScroll: false });
  return {
    values,
    isFiltered: Object.keys(values).length > 0,
    change: (name: Name, value: string) => go({ ...values, [name]: value === '' ? undefined : value }),
    clear: () => go({}),
  };
}
