import { Skeleton } from '@mantine/core';
import { CloudOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError } from '../api/public.ts';
import { Banner, EmptyState, ErrorState, Loading, wordsFor } from '../components/feedback/public.ts';
import { timeOf } from '../format/public.ts';
import { keyed } from '../messages/public.ts';

/** The part of a query that `QueryResult` needs. */
export type Question<Data> = {
  data: Data | undefined;
  dataUpdatedAt: number;
  error: unknown;
  /** `paused`: the device is offline, so the query waits. */
  fetchStatus: 'fetching' | 'paused' | 'idle';
  refetch: () => Promise<unknown>;
};

type AnswerProps<Data> = { to: Question<Data>; height?: number; children: (data: Data) => ReactNode };

/** Renders a query's data when it arrives. Older data stays visible while the service is unreachable. */
export function Answer<Data>({ to, height = 320, children }: AnswerProps<Data>) {
  if (to.data === undefined) return <NoAnswer to={to} height={height} />;
  return (
    <>
      <Old of={to} />
      {children(to.data)}
    </>
  );
}

/** Shown while a query has no data: loading, offline, or failed. */
export function NoAnswer({ to, height }: { to: Question<unknown>; height: number }) {
  if (to.fetchStatus === 'paused') {
    return <EmptyState {...keyed.offline} icon={<CloudOff size={32} aria-hidden="true" />} />;
  }
  if (to.error) return <ErrorState error={to.error} onRetry={() => void to.refetch()} />;
  return (
    <Loading>
      <Skeleton height={height} radius="lg" />
    </Loading>
  );
}

/** Warns that the data is old because refetches fail. `OfflineBar` already reports a missing connection. */
export function Old({ of: { error, dataUpdatedAt } }: { of: Question<unknown> }) {
  if (!error || (error instanceof ApiError && error.code === 'OFFLINE')) return null;
  const at = timeOf(new Date(dataUpdatedAt).toISOString());
  return (
    <div role="status">
      <Banner tone="warn" title={keyed.old(at, wordsFor(error).title)} />
    </div>
  );
}
