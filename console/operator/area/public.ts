/**
 * The frame of the operator's pages: the parent route, the session, the hooks that use it, and lists with
 * filters.
 */
export type { Approval } from './approval-needed.ts';
export { areaRoute, pageRoute } from './area-route.ts';
export { checkValue, problemOf } from './check-value.ts';
export { CodeField, digitsOf } from './code-field.tsx';
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
export {
  type Flag,
  LIST_MS,
  operatorStore,
  type Overview,
  useApiPages,
  useApiQuery,
  useMe,
  useRefresh,
} from './operator-store.ts';
export { PartyLinks } from './party-links.tsx';
export { named, Subject } from './subject.tsx';
