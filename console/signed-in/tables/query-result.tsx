import { CloudOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/public.ts';
import { Banner, describeError, EmptyState, NoData } from '../../components/public.ts';
import { timeOf } from '../../format/public.ts';
import { signedIn } from '../../messages/public.ts';

/** The part of a query that `QueryResult` needs. */
export type QueryState<Data> = {
  data: Data | undefined;
  dataUpdatedAt: number;
  error: unknown;
  /** `paused`: the device is offline, so the query waits. */
  fetchStatus: 'fetching' | 'paused' | 'idle';
  refetch: () => Promise<unknown>;
};

type QueryResultProps<Data> = { of: QueryState<Data>; height?: number; children: (data: Data) => ReactNode };

/** Renders a query's data when it arrives. Older data stays visible while the service is unreachable. */
export function QueryResult<Data>({ of: query, height = 320, children }: QueryResultProps<Data>) {
  if (query.data === undefined) return <QueryPlaceholder of={query} height={height} />;
  return (
    <>
      <StaleNotice of={query} />
      {children(query.data)}
    </>
  );
}

/** Shown while a query has no data: loading, offline, or failed. */
export function QueryPlaceholder({ of: query, height }: { of: QueryState<unknown>; height: number }) {
  if (query.fetchStatus === 'paused') {
    return <EmptyState {...signedIn.offline} icon={<CloudOff size={32} aria-hidden="true" />} />;
  }
  return <NoData of={query} height={height} />;
}

/** Warns that the data is old because refetches fail. `OfflineBar` already reports a missing connection. */
export function StaleNotice({ of: { error, dataUpdatedAt } }: { of: QueryState<unknown> }) {
  if (!error || (error instanceof ApiError && error.code === 'OFFLINE')) return null;
  const at = timeOf(new Date(dataUpdatedAt).toISOString());
  return (
    <div role="status">
      <Banner tone="warn" title={signedIn.old({ at, why: describeError(error).title })} />
    </div>
  );
}
