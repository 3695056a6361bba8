import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ApiData, ApiInput, Route } from '../../api/public.ts';
import type { Column, EmptyStateProps } from '../../components/public.ts';
import { operatorDesk } from '../../messages/public.ts';
import { type Action, FilterBar, PagedTable, useAction, useFilters } from '../../signed-in/public.ts';
import { DistinctNames } from '../area/links.tsx';
import { LIST_MS, useApiPages, useRefresh } from '../area/operator-store.ts';
import { type Bulk, bulkAction } from './bulk.tsx';
import { CsvButton } from './csv-button.tsx';
import classes from './desk-list.module.css';
import { type Filter, FilterField } from './filters.tsx';

/** A route that returns pages of a list. */
export type ListRoute = { [R in Route]: ApiData<R> extends { next_cursor: string | null } ? R : never }[Route];
/** The rows of a list are the only array in its pages. */
export type RowOf<R extends ListRoute> = ApiData<R>[keyof ApiData<R>] extends infer Value
  ? Value extends readonly (infer Row)[]
    ? Row
    : never
  : never;

/** A button on rows, which opens the dialog of its act. */
export type RowAction<Row> = {
  label: string;
  /** Names the button for screen readers. */
  of: (row: Row) => string;
  isFor: (row: Row) => boolean;
  act: (row: Row) => Action;
  /** A button above the table, which acts on all shown rows. */
  bulk?: Bulk<Row>;
};

/** A list page as data. */
export type DeskListOf<R extends ListRoute> = {
  route: R;
  text: { empty: EmptyStateProps; caption: string };
  filters: readonly Filter[];
  columns: Column<RowOf<R>>[];
  rowKey: (row: RowOf<R>) => string;
  actions?: RowAction<RowOf<R>>[];
};

/** Any list of the operator: filters in the address, pages, CSV, and acts on rows with dialogs that ask for a reason. */
export function DeskList<R extends ListRoute>({ of: list }: { of: DeskListOf<R> }) {
  const { route, filters, text, rowKey, actions = [] } = list;
  const { values, isFiltered, change, clear } = useFilters(filters.map(({ name }) => name));
  const query = useApiPages(route, { query: values } as unknown as ApiInput<R>, { next: cursorOf, everyMs: LIST_MS });
  const { ask, dialog } = useAction(useRefresh());
  const rows = query.data?.pages.flatMap((page) => rowsOf<R>(page)) ?? [];
  // While a new filter loads, the table still shows the rows of the previous one.
  const shown = query.data !== undefined && !query.isPlaceholderData ? rows : [];
  return (
    <>
      <FilterBar filtered={isFiltered} onClear={clear}>
        {filters.map((filter) => (
          <FilterField
            key={filter.name}
            filter={filter}
            value={values[filter.name]}
            onChange={(value) => change(filter.name, value)}
          />
        ))}
      </FilterBar>
      <div className={`row ${classes.bar}`}>
        <CsvButton route={route} query={values} />
        {actions.map((action) => (
          <BulkButton key={action.label} action={action} rows={shown} hasMore={query.hasNextPage} ask={ask} />
        ))}
      </div>
      <DistinctNames rows={rows}>
        <PagedTable
          {...text}
          query={query}
          filtered={isFiltered}
          rows={rows}
          rowKey={rowKey}
          columns={actions.length === 0 ? list.columns : [...list.columns, actionColumn(actions, ask)]}
        />
      </DistinctNames>
      {dialog}
    </>
  );
}

function cursorOf(page: object): string | null {
  return (page as { next_cursor: string | null }).next_cursor;
}

function rowsOf<R extends ListRoute>(page: object): RowOf<R>[] {
  return (Object.values(page).find((value) => Array.isArray(value)) ?? []) as RowOf<R>[];
}

type Ask = (action: Action) => void;

function actionColumn<Row>(actions: RowAction<Row>[], ask: Ask): Column<Row> {
  return {
    label: operatorDesk.action,
    acts: true,
    cell: (row) => {
      const possible = actions.filter(({ isFor }) => isFor(row));
      return possible.length === 0 ? null : <Buttons actions={possible} row={row} ask={ask} />;
    },
  };
}

function Buttons<Row>({ actions, row, ask }: { actions: RowAction<Row>[]; row: Row; ask: Ask }): ReactNode {
  return (
    <span className="row">
      {actions.map(({ label, of, act }) => (
        <Button key={label} variant="default" size="xs" aria-label={of(row)} onClick={() => ask(act(row))}>
          {label}
        </Button>
      ))}
    </span>
  );
}

type BulkButtonProps<Row> = { action: RowAction<Row>; rows: Row[]; hasMore: boolean; ask: Ask };

function BulkButton<Row>({ action: { bulk, isFor, act }, rows, hasMore, ask }: BulkButtonProps<Row>) {
  const affected = bulk === undefined ? [] : rows.filter((row) => isFor(row));
  if (bulk === undefined || affected.length < 2) return null;
  return (
    <Button variant="default" size="xs" onClick={() => ask(bulkAction({ bulk, rows: affected, hasMore, act }))}>
      {bulk.label({ amount: affected.length })}
    </Button>
  );
}
