// The public interface of projects/. Everything else in the folder is private.

export { createAnalyst } from './analyse-brief.ts';
export { lockForChange } from './editing.ts';
export { judgedBrief, lockWhileJudged, type JudgedBrief } from './judged-brief.ts';
export {
  beginJudging,
  endEntriesNow,
  lockAnyProject,
  lockNextDueProject,
  lockOwnProject,
  lookAgainAt,
  lookAgainSoon,
  markAwarded,
  markCancelled,
  markCompleted,
  postponeProject,
  type DueProject,
  type JudgedProject,
  type Mover,
} from './lifecycle.ts';
export { readProject } from './own-view.ts';
export { prizeSubject } from './prize.ts';
export { takesEntries } from './queries.ts';
export { projectRoutes } from './routes.ts';
export { ownColumns, type Canceller, type OwnProjectRow, type Selection } from './rows.ts';
export { forgetSearches, sharedSearch } from './search-cache.ts';
export {
  INTENT_BUFFER_SECONDS,
  confirmableUntil,
  projectNotFound,
  requireAcceptingEntries,
  requireConfirmable,
  stateConflict,
} from './state.ts';
export {
  countSubmission,
  findProjectForEntry,
  lockProject,
  lockProjectForConfirmation,
  lockProjectForEntry,
  requireCompletedProject,
  requireOwnProject,
  type EntryProject,
} from './steps.ts';
export { winnerReceivesMicro } from './views.ts';
