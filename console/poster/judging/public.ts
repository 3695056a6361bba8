/**
 * The state of a poster's judging: the list of entries, its order, drafts of feedback, and marks.
 */
export { type Filter, FILTERS, type Order, ORDERS } from './arrange.ts';
export { choose } from './choose.ts';
export type { Entry } from './entry-requests.ts';
export { type Arranged, useArranged } from './use-arranged.ts';
export { useEntries } from './use-entries.ts';
export { feedbackOf } from './use-feedback.ts';
export { type Judge, LEAST_COMPARED, type Outcome, useJudge } from './use-judge.ts';
