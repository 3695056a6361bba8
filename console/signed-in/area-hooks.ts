import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ApiData, ApiError, type ApiInput, apiQuery, type Route } from '../api/public.ts';
import type { KeyStore } from './key-store.ts';

// Asking for many pages again costs one request each: who has scrolled far sees changes when they come back.
const LIVE_PAGES = 2;

/** The hooks of an area, whose requests carry its key. */
export function createHooks(store: KeyStore) {
  /** A route as it is now; asked again so often while the page is looked at. */
  function useAsked<R extends Route>(route: R, input: ApiInput<R>, everyMs?: number) {
    const { who } = store.use();
    return useQuery(
      apiQuery(route, input, { as: { api: store.api, who }, ...(everyMs === undefined ? {} : { everyMs }) }),
    );
  }

  /** All pages of a list that has been scrolled so far; `next` finds the cursor of the page that follows. */
  function usePages<R extends Route>(
    route: R,
    input: ApiInput<R>,
    { next, everyMs }: { next: (page: ApiData<R>) => string | null; everyMs: number },
  ) {
    const { who } = store.use();
    return useInfiniteQuery({
      queryKey: [route, input, 'pages', who],
      queryFn: async ({ pageParam, signal }) => {
        const { query = {}, ...rest } = input as { query?: Record<string, string> };
        const paged = { ...rest, query: { ...query, ...(pageParam ? { cursor: pageParam } : {}) }, signal };
        return await store.api.call(route, paged as unknown as ApiInput<R>);
      },
      initialPageParam: '',
      getNextPageParam: next,
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => {
        if ((state.data?.pages.length ?? 0) > LIVE_PAGES) return false;
        return state.error instanceof ApiError ? Math.max(everyMs * 2, (state.error.retryAfter ?? 0) * 1000) : everyMs;
      },
    });
  }

  /** After something was changed: everything of this owner is asked for again, or one route alone. */
  function useRefresh(only?: Route): () => Promise<void> {
    const queries = useQueryClient();
    return async () =>
      await queries.invalidateQueries({
        predicate: ({ queryKey }) => queryKey.includes(store.who()) && (only === undefined || queryKey[0] === only),
      });
  }

  return { useAsked, usePages, useRefresh };
}

/** Filters live in the address: they can be linked to, and Back takes them back. */
export function useFilters<Name extends string>(names: readonly Name[]) {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const values: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = search[name];
    // Read as JSON where they look like it: `12`, `true`.
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
