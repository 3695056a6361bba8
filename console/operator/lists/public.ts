/**
 * Lists of the operator: a route, filters in the address, pages, and the button that saves all rows as CSV.
 */
export { CsvButton } from './csv-button.tsx';
export {
  DAY_FILTERS,
  type Filter,
  type ListOf,
  ListTable,
  MONEY_FILTERS,
  optionsOf,
  type ShownRows,
  useList,
} from './list-table.tsx';
