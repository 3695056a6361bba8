import { Inbox } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  DataTable,
  type DataTableProps,
  EmptyState,
  type EmptyStateProps,
  MoreButton,
} from '../../components/public.ts';
import { signedIn } from '../../messages/public.ts';
import { QueryPlaceholder, type QueryState, StaleNotice } from './query-result.tsx';

/** The part of an infinite query that `Paged` needs. */
export type PagedQuery = QueryState<unknown> & {
  isPlaceholderData: boolean;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => Promise<unknown>;
};

export type PagedProps = {
  query: PagedQuery;
  count: number;
  /** Shown if the list is empty. */
  empty: EmptyStateProps;
  /** Filters are set, so an empty list means that nothing matches. */
  filtered?: boolean;
  children: ReactNode;
};

/** A paged list in all its states: loading, failed, empty, or `children` with a button for more. */
export function Paged({ query, count, empty, filtered = false, children }: PagedProps) {
  if (query.data === undefined) return <QueryPlaceholder of={query} height={320} />;
  if (count === 0) {
    const { icon = <Inbox size={32} aria-hidden="true" />, ...nothing } = empty;
    return <EmptyState {...(filtered ? signedIn.noMatch : nothing)} icon={icon} />;
  }
  return (
    <div className="stack waiting" aria-busy={query.isPlaceholderData}>
      <StaleNotice of={query} />
      {children}
      <p className="soft small" role="status">
        {signedIn.shown({ rows: count, more: String(query.hasNextPage) })}
      </p>
      <MoreButton of={query} />
    </div>
  );
}

export function PagedTable<Row>({
  query,
  empty,
  filtered = false,
  ...table
}: Omit<PagedProps, 'children' | 'count'> & DataTableProps<Row>) {
  return (
    <Paged query={query} count={table.rows.length} empty={empty} filtered={filtered}>
      <DataTable {...table} />
    </Paged>
  );
}
