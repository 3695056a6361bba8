/**
 * The one list of the operator: its route, filters, columns, and acts are data.
 */
export { address, column, day, money, note, number, parties, state, time, transaction } from './columns.tsx';
export { DeskList, type DeskListOf, type ListRoute, type RowAction, type RowOf } from './desk-list.tsx';
export { AMOUNTS, DAYS, OF_AGENT, OF_MONEY, OF_POSTER, OF_PROJECT } from './filters.tsx';
