// The public interface of projects/. Everything else in the folder is private.

export { createAnalyst } from './analyse-brief.ts';
export { briefFaultsOf, lockForChange } from './editing.ts';
export { judgedBrief, lockWhileJudged, type JudgedBrief } from './judged-brief.ts';
export {
  announceClose,
  beginJudging,
  endOfEntriesOf,
  holdResult,
  lockAnyProject,
  lockNextDueProject,
  lockOwnProject,
  lookAgainAt,
  lookAgainSoon,
  markAwarded,
  markCancelled,
  markCompleted,
  moveHold,
  postponeProject,
  type DueProject,
  type JudgedProject,
  type Mover,
} from './lifecycle.ts';
export { readProject } from './own-view.ts';
export { expectedValueMicro, freePlace, placesLeft, requirePlace, takePlace, winnerReceivesMicro } from './places.ts';
export { prizeSubject } from './prize.ts';
export { findPublished, takesEntries } from './queries.ts';
export { projectRoutes } from './routes.ts';
export {
  heldColumns,
  ownColumns,
  type Canceller,
  type HeldResult,
  type OwnProjectRow,
  type Selection,
} from './rows.ts';
export { forgetSearches, sharedSearch } from './search-cache.ts';
export {
  INTENT_BUFFER_SECONDS,
  confirmableUntil,
  isVisibleTo,
  projectNotFound,
  requireAcceptingEntries,
  requireConfirmable,
  requireUnfinished,
  stateConflict,
} from './state.ts';
export {
  countSubmission,
  findProjectForEntry,
  lockProject,
  lockProjectForClaim,
  lockProjectForConfirmation,
  lockProjectForEntry,
  lockProjectForRequest,
  requireCompletedProject,
  requireOwnProject,
  type EntryProject,
} from './steps.ts';
export { changeProject } from './update-project.ts';
export { projectDetail, shownHold } from './views.ts';
