import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page } from '../../components/public.ts';
import { type Action, QueryResult, type QueryState, useAction } from '../../signed-in/public.ts';
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
    acts: { label: string; action: Action }[];
  };
  children: (data: Data, ask: (action: Action) => void) => ReactNode;
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
      actions={shown?.acts.map(({ label, action }) => (
        <Button key={label} variant="default" onClick={() => ask(action)}>
          {label}
        </Button>
      ))}
    >
      <QueryResult of={query}>{(data) => children(data, ask)}</QueryResult>
      {dialog}
    </Page>
  );
}
