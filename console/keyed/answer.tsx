import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorState, Loading } from '../components/states.tsx';

type Question<Data> = { data: Data | undefined; error: unknown; refetch: () => Promise<unknown> };

/** What was asked for, as soon as it is there. What was there before stays while the service does not answer. */
export function Answer<Data>({
  to,
  height = 320,
  children,
}: {
  to: Question<Data>;
  height?: number;
  children: (data: Data) => ReactNode;
}) {
  if (to.data !== undefined) return children(to.data);
  if (to.error) return <ErrorState error={to.error} onRetry={() => void to.refetch()} />;
  return (
    <Loading>
      <Skeleton height={height} radius="lg" />
    </Loading>
  );
}
