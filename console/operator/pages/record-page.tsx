import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page } from '../../components/public.ts';
import { QueryResult, type QueryState, useAction } from '../../signed-in/public.ts';
import { type Act, ActButtons, type Ask } from '../area/acts.tsx';
import { useRefresh } from '../area/operator-store.ts';

type RecordPageProps<Data> = {
  query: QueryState<Data>;
  /** The list of such records. */
  list: { to: string; title: string; back: string };
  /** The facts of the record in the head of the page. */
  head: (data: Data) => {
    title: string;
    before?: ReactNode;
    badge: ReactNode;
    acts: Act[];
  };
  children: (data: Data, ask: Ask) => ReactNode;
};

/** The page of one record: its name with a badge, its acts, and its content. */
export function RecordPage<Data>({ query, list, head, children }: RecordPageProps<Data>) {
  const { ask, dialog } = useAction(useRefresh());
  const shown = query.data === undefined ? null : head(query.data);
  return (
    <Page
      wide
      title={shown?.title ?? list.title}
      heading={
        shown ? (
          <span className="row">
            {shown.before}
            <span>{shown.title}</span>
            {shown.badge}
          </span>
        ) : undefined
      }
      above={<Link to={list.to}>{list.back}</Link>}
      actions={shown ? <ActButtons acts={shown.acts} ask={ask} size="sm" /> : null}
    >
      <QueryResult of={query}>{(data) => children(data, ask)}</QueryResult>
      {dialog}
    </Page>
  );
}
