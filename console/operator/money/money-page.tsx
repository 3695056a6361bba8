import type { ReactNode } from 'react';
import type { ApiData, ApiInput } from '../../api/public.ts';
import { type Column, DataTable } from '../../components/data/public.ts';
import type { EmptyStateProps } from '../../components/feedback/public.ts';
import { Page, Section } from '../../components/layout/public.ts';
import { type Action, QueryResult, useAction } from '../../signed-in/public.ts';
import { useApiQuery, useRefresh } from '../area/public.ts';
import { type ListOf, ListTable, type ShownRows } from '../lists/public.ts';

type MoneyRoute = 'GET /operator/payments' | 'GET /operator/payouts';
type Ask = (action: Action) => void;

const FIRST_MS = 5_000;

type MoneyPageProps<R extends MoneyRoute, Row> = ListOf<R, Row> & {
  text: {
    title: string;
    lead: string;
    first: { title: string; lead: string; none: string };
    all: string;
    empty: EmptyStateProps;
    caption: string;
  };
  /** The state of the rows in the first table. */
  first: string;
  columnsOf: (ask: Ask) => Column<Row>[];
  actions?: (ask: Ask) => ReactNode;
  /** Buttons above each table, which act on its rows. */
  bulk?: (ask: Ask, shown: ShownRows<Row>) => ReactNode;
  /** Above the first table. */
  above?: ReactNode;
};

/** A page of payments or payouts: first those that the operator can act on, then all. */
export function MoneyPage<R extends MoneyRoute, Row extends { id: string }>(props: MoneyPageProps<R, Row>) {
  const { text, first, columnsOf, actions, above, bulk, ...list } = props;
  const { ask, dialog } = useAction(useRefresh());
  const table = { columns: columnsOf(ask), rowKey: ({ id }: Row) => id };
  const query = useApiQuery(list.route, { query: { state: first, limit: 100 } } as unknown as ApiInput<R>, FIRST_MS);
  return (
    <Page title={text.title} lead={text.lead} actions={actions?.(ask)}>
      {above}
      <Section title={text.first.title} lead={text.first.lead}>
        <QueryResult of={query} height={80}>
          {(page: ApiData<R>) => {
            const rows = list.rowsOf(page);
            if (rows.length === 0) return <p>{text.first.none}</p>;
            return (
              <>
                {bulk?.(ask, { rows, hasMore: page.has_more, isFiltered: false })}
                <DataTable caption={text.first.title} rows={rows} {...table} />
              </>
            );
          }}
        </QueryResult>
      </Section>
      <Section title={text.all}>
        <ListTable
          {...list}
          {...table}
          text={{ empty: text.empty, caption: text.caption }}
          bulk={(shown) => (shown.isFiltered ? bulk?.(ask, shown) : null)}
        />
      </Section>
      {dialog}
    </Page>
  );
}
