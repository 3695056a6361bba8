import { Button } from '@mantine/core';
import { Inbox } from 'lucide-react';
import type { ReactNode } from 'react';
import { DataTable, type DataTableProps } from '../components/data/public.ts';
import { EmptyState, type EmptyStateProps } from '../components/feedback/public.ts';
import { keyed, messages } from '../messages/public.ts';
import classes from './paged-table.module.css';
import { NoAnswer, Old, type Question } from './query-result.tsx';

/** The part of an infinite query that `Paged` needs. */
export type Asked = Question<unknown> & {
  isPlaceholderData: boolean;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => Promise<unknown>;
};

export type PagedProps = {
  asked: Asked;
  count: number;
  /** Shown if the list is empty. */
  empty: EmptyStateProps;
  /** Filters are set, so an empty list means that nothing matches. */
  filtered?: boolean;
  children: ReactNode;
};

/** A paged list in all its states: loading, failed, empty, or `children` with a button for more. */
export function Paged({ asked, count, empty, filtered = false, children }: PagedProps) {
  if (asked.data === undefined) return <NoAnswer to={asked} height={320} />;
  if (count === 0) {
    const { icon = <Inbox size={32} aria-hidden="true" />, ...nothing } = empty;
    return <EmptyState {...(filtered ? keyed.noMatch : nothing)} icon={icon} />;
  }
  return (
    <div className={classes.list} data-stale={asked.isPlaceholderData}>
      <Old of={asked} />
      {children}
      <p className={classes.count} role="status">
        {keyed.shown(count, asked.hasNextPage)}
      </p>
      {asked.hasNextPage ? (
        <div className={classes.more}>
          <Button variant="default" loading={asked.isFetchingNextPage} onClick={() => void asked.fetchNextPage()}>
            {messages.more}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

export function PagedTable<Row>({
  asked,
  empty,
  filtered = false,
  ...table
}: Omit<PagedProps, 'children' | 'count'> & DataTableProps<Row>) {
  return (
    <Paged asked={asked} count={table.rows.length} empty={empty} filtered={filtered}>
      <DataTable {...table} />
    </Paged>
  );
}
