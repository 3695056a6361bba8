import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Account, LoggedEvent } from './account.ts';

const EVERY_MS = 30_000;
/** The page shows the newest events only. */
const KEPT = 500;
/** A first visit reads at most this many pages of 100 events; the next refresh goes on from there. */
const PAGES_AT_ONCE = 20;

type EventLog = { events: LoggedEvent[]; cursor: string | undefined; truncated: boolean };

const keyOf = (account: Account, part: string) => ['notifications', part, account.owner];

/** Reads the events since the last read, and returns the newest ones first. */
export function useEventLog(account: Account) {
  const queries = useQueryClient();
  const queryKey = keyOf(account, 'events');
  return useQuery({
    queryKey,
    queryFn: async (): Promise<EventLog> => {
      const known = queries.getQueryData<EventLog>(queryKey);
      let log: EventLog = known ?? { events: [], cursor: undefined, truncated: false };
      for (let page = 0; page < PAGES_AT_ONCE; page += 1) {
        const { events, cursor, has_more: hasMore, truncated } = await account.events(log.cursor);
        const all = [...events.toReversed(), ...log.events];
        log = { events: all.slice(0, KEPT), cursor, truncated: log.truncated || truncated || all.length > KEPT };
        if (!hasMore) break;
      }
      return log;
    },
    refetchInterval: EVERY_MS,
  });
}

/** Reads a part of the account's data, and again every `everyMs`. */
export function usePart<Data>(account: Account, part: string, read: () => Promise<Data>, everyMs = EVERY_MS) {
  return useQuery({ queryKey: keyOf(account, part), queryFn: read, refetchInterval: everyMs });
}

/** Returns a function that reads the account's data again after a change. The end of a key also ends its sessions. */
export function useReload(account: Account): () => Promise<void> {
  const queries = useQueryClient();
  return async () => await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes(account.owner) });
}
