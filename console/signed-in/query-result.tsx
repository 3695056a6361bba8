import { Skeleton } from '@mantine/core';
import { CloudOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError } from '../api/public.ts';
import { Banner, EmptyState, ErrorState, Loading, wordsFor } from '../components/feedback/public.ts';
import { timeOf } from '../format/public.ts';
import { keyed } from '../messages/public.ts';

/** What of a query is needed to show what came of it. */
export type Question<Data> = {
  data: Data | undefined;
  dataUpdatedAt: number;
  error: unknown;
  /** `paused`: without a network nothing is asked. */
  fetchStatus: 'fetching' | 'paused' | 'idle';
  refetch: () => Promise<unknown>;
};

type AnswerProps<Data> = { to: Question<Data>; height?: number; children: (data: Data) => ReactNode };

/** What was asked for, as soon as it is there. What was there before stays while the service does not answer. */
export function Answer<Data>({ to, height = 320, children }: AnswerProps<Data>) {
  if (to.data === undefined) return <NoAnswer to={to} height={height} />;
  return (
    <>
      <Old of={to} />
      {children(to.data)}
    </>
  );
}

/** The place of an answer: it comes, it will come, or it was refused. */
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

/** Figures that are not kept up to date say so. That there is no connection is said above every page. */
export function Old({ of: { error, dataUpdatedAt } }: { of: Question<unknown> }) {
  if (!error || (error instanceof ApiError && error.code === 'OFFLINE')) return null;
  const at = timeOf(new Date(dataUpdatedAt).toISOString());
  return (
    <div role="status">
      <Banner tone="warn" title={keyed.old(at, wordsFor(error).title)} />
    </div>
  );
}
