import type { ApiData, ApiInput, Route } from '../../api/public.ts';
import type { Column, EmptyStateProps } from '../../components/public.ts';
import { operatorDesk } from '../../messages/public.ts';
import { FilterBar, PagedTable, useAction, useFilters } from '../../signed-in/public.ts';
import { type Act, ActButtons, type Ask } from '../area/acts.tsx';
import { DistinctNames } from '../area/links.tsx';
import { LIST_MS, useApiPages, useRefresh } from '../area/operator-store.ts';
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

/** A list page as data. */
export type DeskListOf<R extends ListRoute> = {
  route: R;
  text: { empty: EmptyStateProps; caption: string };
  filters: readonly Filter[];
  columns: Column<RowOf<R>>[];
  rowKey: (row: RowOf<R>) => string;
  actsOn?: (row: RowOf<R>) => Act[];
};

/** Any list of the operator: filters in the address, pages, CSV, and acts on rows with dialogs that ask for a reason. */
export function DeskList<R extends ListRoute>({ of: list }: { of: DeskListOf<R> }) {
  const { route, filters, text, rowKey, actsOn } = list;
  const { values, isFiltered, change, clear } = useFilters(filters.map(({ name }) => name));
  const query = useApiPages(route, { query: values } as unknown as ApiInput<R>, LIST_MS);
  const { ask, dialog } = useAction(useRefresh());
  const rows = query.data?.pages.flatMap((page) => rowsOf<R>(page)) ?? [];
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
      </div>
      <DistinctNames rows={rows}>
        <PagedTable
          {...text}
          query={query}
          filtered={isFiltered}
          rows={rows}
          rowKey={rowKey}
          columns={actsOn === undefined ? list.columns : [...list.columns, actColumn(actsOn, ask)]}
        />
      </DistinctNames>
      {dialog}
    </>
  );
}

function rowsOf<R extends ListRoute>(page: object): RowOf<R>[] {
  return (Object.values(page).find((value) => Array.isArray(value)) ?? []) as RowOf<R>[];
}

function actColumn<Row>(actsOn: (row: Row) => Act[], ask: Ask): Column<Row> {
  const cell = (row: Row) => (
    <span className="row">
      <ActButtons acts={actsOn(row)} ask={ask} />
    </span>
  );
  return { label: operatorDesk.action, acts: true, cell };
}
