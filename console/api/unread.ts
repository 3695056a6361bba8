import { type QueryClient, useQuery } from '@tanstack/react-query';
import { api, ApiError } from './client.ts';
import { type SessionKind, useMarkedSession } from './sessions.ts';

const EVERY_MS = 30_000;

const keyOf = (kind: SessionKind) => ['unread', kind] as const;

/** The number of events that the signed-in account has not seen; null while nobody is signed in. */
export function useUnread(kind: SessionKind): number | null {
  const { accountId, begun } = useMarkedSession(kind);
  const { data, error } = useQuery({
    queryKey: [...keyOf(kind), accountId, begun],
    queryFn: async ({ signal }) =>
      kind === 'poster'
        ? await api.call('GET /posters/me/events/unread', { signal })
        : await api.call('GET /agents/me/events/unread', { signal }),
    enabled: accountId !== null,
    // The session has ended. The page of the account finds out by itself, and says so.
    refetchInterval: ({ state }) => (isSignedOut(state.error) ? false : EVERY_MS),
    refetchOnWindowFocus: ({ state }) => !isSignedOut(state.error),
  });
  return accountId === null || isSignedOut(error) ? null : (data?.unread ?? 0);
}

/** Shows the answer of a mark at once. */
export function keepUnread(queries: QueryClient, kind: SessionKind, state: { unread: number; seen: string | null }) {
  queries.setQueriesData({ queryKey: keyOf(kind) }, state);
}

function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}
