import type { ReactNode } from 'react';
import type { ApiData, ApiInput, Route } from '../../api/public.ts';
import type { Column } from '../../components/data/public.ts';
import type { EmptyStateProps } from '../../components/feedback/public.ts';
import { operatorDesk } from '../../messages/public.ts';
import { Choice, FilterBar, PagedTable, SearchField, useFilters } from '../../signed-in/public.ts';
import { CsvButton } from './csv-button.tsx';
import { LIST_MS, useApiPages } from '../area/public.ts';
import { AmountField, DayField } from './range-fields.tsx';

/** A route that returns pages of a list. */
type ListRoute = { [R in Route]: ApiData<R> extends { next_cursor: string | null } ? R : never }[Route];

type Option = { value: string; label: string };

/** `name` is the parameter's name in the URL and in the request. */
export type Filter = { name: string; label: string } & (
  | { options: readonly Option[] }
  | { hint?: string }
  | { range: 'day' | 'amount' }
  /** A filter that only links of other pages set. The user can see and remove it. */
  | { linked: string }
);

export type ListOf<R extends ListRoute, Row> = {
  route: R;
  filters: readonly Filter[];
  rowsOf: (page: ApiData<R>) => Row[];
  /** Page size. */
  limit?: number;
};

const { filters: words } = operatorDesk;

/** Days, by UTC. */
export const DAY_FILTERS: readonly Filter[] = [
  { name: 'from', label: words.from, range: 'day' },
  { name: 'to', label: words.to, range: 'day' },
];

/** Days and amounts of a list of money. */
export const MONEY_FILTERS: readonly Filter[] = [
  ...DAY_FILTERS,
  { name: 'min_usdc', label: words.least, range: 'amount' },
  { name: 'max_usdc', label: words.most, range: 'amount' },
];

/** Turns names by value into options. */
export function optionsOf(names: Record<string, string>): Option[] {
  return Object.entries(names).map(([value, label]) => ({ value, label }));
}

/** Fetches a list by the filters in the URL. */
export function useList<R extends ListRoute, Row>({ route, filters, rowsOf, limit }: ListOf<R, Row>) {
  const { values, isFiltered, change, clear } = useFilters(filters.map(({ name }) => name));
  const search = { ...values, ...(limit === undefined ? {} : { limit }) };
  const query = useApiPages(route, { query: search } as unknown as ApiInput<R>, { next: endOf, everyMs: LIST_MS });
  return {
    query,
    filtered: isFiltered,
    rows: query.data?.pages.flatMap((page) => rowsOf(page)) ?? [],
    bar: (
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
        <CsvButton route={route} query={values} />
      </>
    ),
  };
}

function endOf(page: object): string | null {
  return (page as { next_cursor: string | null }).next_cursor;
}

type FilterFieldProps = { filter: Filter; value: string | undefined; onChange: (value: string) => void };

function FilterField({ filter, ...field }: FilterFieldProps): ReactNode {
  const { label } = filter;
  if ('options' in filter) return <Choice {...field} label={label} options={filter.options} />;
  if ('range' in filter)
    return filter.range === 'day' ? <DayField {...field} label={label} /> : <AmountField {...field} label={label} />;
  if (!('linked' in filter))
    return <SearchField {...field} label={label} {...(filter.hint ? { hint: filter.hint } : {})} />;
  const { value } = field;
  return value === undefined ? null : <Choice {...field} label={label} options={[{ value, label: filter.linked }]} />;
}

/** The rows that a table shows, for acts on all of them. */
export type ShownRows<Row> = {
  rows: readonly Row[];
  /** Whether the list has rows that are not loaded. */
  hasMore: boolean;
  isFiltered: boolean;
};

type ListTableProps<R extends ListRoute, Row> = ListOf<R, Row> & {
  text: { empty: EmptyStateProps; caption: string };
  /** Buttons that act on the shown rows. */
  bulk?: ((shown: ShownRows<Row>) => ReactNode) | undefined;
  columns: Column<Row>[];
  rowKey: (row: Row) => string;
};

/** A list as a table with filters. */
export function ListTable<R extends ListRoute, Row>({ text, columns, rowKey, bulk, ...list }: ListTableProps<R, Row>) {
  const { bar, ...shown } = useList(list);
  const { query, rows, filtered } = shown;
  // While a new filter loads, the table still shows the rows of the previous one.
  const isCurrent = query.data !== undefined && !query.isPlaceholderData;
  return (
    <>
      {bar}
      {isCurrent ? bulk?.({ rows, hasMore: query.hasNextPage, isFiltered: filtered }) : null}
      <PagedTable {...shown} {...text} columns={columns} rowKey={rowKey} />
    </>
  );
}
