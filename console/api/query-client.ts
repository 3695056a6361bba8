import {
  type InfiniteData,
  infiniteQueryOptions,
  QueryClient,
  type QueryKey,
  queryOptions,
} from '@tanstack/react-query';
import { api, type Api, type ApiData, ApiError, type ApiInput, type Route } from './client.ts';

const RETRIES = 2;
// Each page of a list costs one request per refresh, so only lists of at most 2 pages refresh often. Longer ones, and those
// that do not change, only renew the URLs of their pictures, which expire after an hour.
const LIVE_PAGES = 2;
const RENEW_MS = 30 * 60_000;
const MAX_WAIT_MS = 10_000;
/** The pause after a 429 without `Retry-After`. */
const LIMITED_MS = 10_000;

/** Retry when the service is unreachable or failed internally. */
function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'OFFLINE' || error.status >= 500);
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 2_000,
        retry: (failures, error) => failures < RETRIES && isPassing(error),
        retryDelay: (failures, error) =>
          error instanceof ApiError && error.retryAfter !== null
            ? Math.min(error.retryAfter * 1000, MAX_WAIT_MS)
            : 400 * 2 ** failures,
        refetchInterval: ({ state }) => untilAllowed(state.error),
      },
    },
  });
}

type Live = {
  /**
   * Refetch interval while the page is visible. After an error, the interval is at least `Retry-After`.
   */
  everyMs?: number | undefined;
  /** The client of a signed-in user. `owner` is part of the cache key, so users never see each other's data. */
  as?: { api: Api; owner: string };
};

/** Query options for a route: `useQuery(apiQuery('GET /projects', { query }, { everyMs: 10_000 }))`. */
export function apiQuery<R extends Route>(route: R, input: ApiInput<R>, { everyMs, as }: Live = {}) {
  return queryOptions<ApiData<R>>({
    queryKey: [route, input, as?.owner ?? 'everyone'] as QueryKey,
    queryFn: ({ signal }): Promise<ApiData<R>> => (as?.api ?? api).call(route, { ...input, signal }),
    refetchInterval: ({ state }: { state: { error: unknown } }) => pause(everyMs, state.error),
  });
}

/** Options of `useInfiniteQuery` for a list, whose pages name the cursor of the next one. */
export function apiPages<R extends Route>(route: R, input: ApiInput<R>, { everyMs, as }: Live = {}) {
  return infiniteQueryOptions<ApiData<R>, Error, InfiniteData<ApiData<R>>, QueryKey, string>({
    queryKey: [route, input, 'pages', as?.owner ?? 'everyone'],
    queryFn: ({ pageParam, signal }) => {
      const { query, ...rest } = input as { query?: object };
      const paged = { ...rest, query: { ...query, ...(pageParam ? { cursor: pageParam } : {}) }, signal };
      return (as?.api ?? api).call(route, paged as unknown as ApiInput<R>);
    },
    initialPageParam: '',
    getNextPageParam: cursorOf,
    refetchInterval: ({ state }) =>
      (state.data?.pages.length ?? 0) > LIVE_PAGES ? RENEW_MS : pause(everyMs, state.error) || RENEW_MS,
  });
}

type Cursors = {
  next_cursor?: string | null;
  pagination?: { next_cursor?: string | null; nextCursor?: string | null };
};

function cursorOf(page: unknown): string | null {
  const { next_cursor: next, pagination } = page as Cursors;
  return next ?? pagination?.next_cursor ?? pagination?.nextCursor ?? null;
}

/** Without an interval, a query is sent again only after a 429. */
function pause(everyMs: number | undefined, error: unknown): number | false {
  if (everyMs === undefined) return untilAllowed(error);
  if (!(error instanceof ApiError)) return everyMs;
  return Math.max(everyMs * 2, (error.retryAfter ?? 0) * 1000);
}

/** Returns the pause after which the service takes the request that it refused with 429, or false after other ends. */
function untilAllowed(error: unknown): number | false {
  if (!(error instanceof ApiError) || error.status !== 429) return false;
  return error.retryAfter === null ? LIMITED_MS : Math.max(1, error.retryAfter) * 1000;
}
