/** Lists of rows behind a sign-in: filters, pages, and what shows while the rows load or fail to. */
export { Choice, FilterBar, SearchField } from './filter-bar.tsx';
export { Paged, PagedTable } from './paged-table.tsx';
export { QueryResult, type QueryState } from './query-result.tsx';
