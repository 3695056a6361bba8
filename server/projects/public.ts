// projects/ offers projects: drafts, publication, the lifecycle with its locks, and what other domains read of them. The
// rest is private.

export { saveDraft } from './draft-project.ts';
export { lockForChange } from './editing.ts';
export {
  announceClose,
  beginJudging,
  endOfEntriesOf,
  lockAnyProject,
  lockOwnProject,
  markAwarded,
  markCancelled,
  markCompleted,
  markReopened,
  type Mover,
} from './lifecycle.ts';
export {
  bringForward,
  changeWinner,
  countCancelled,
  holdHeldPayout,
  holdResult,
  lockNextDueProject,
  planWinner,
  postponeProject,
  scheduleNextCheck,
  type DueProject,
  type ProjectForJudging,
} from './lifecycle-queries.ts';
export { readProject, showOwnProjects } from './own-view.ts';
export {
  expectedValueMicro,
  FEE_STAYS_PAID,
  freePlace,
  placesLeft,
  requirePlace,
  takePlace,
  winnerReceivesMicro,
} from './places.ts';
export { prizeSubject } from './prize.ts';
export { listOwn, listOwnByUrgency } from './list-queries.ts';
export { costs, findMoneyState, findOwn, findPublished, listUndecided, placeEnd, takesEntries } from './queries.ts';
export {
  briefOf,
  heldColumns,
  ownColumns,
  type Canceller,
  type HeldResult,
  type OwnProjectRow,
  type ProjectRow,
  type Selection,
  SHOWN_COLUMNS,
} from './rows.ts';
export { forgetSearches } from '../page-cache.ts';
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
  findProjectForEntry,
  lockProject,
  lockProjectForClaim,
  lockProjectForConfirmation,
  lockProjectForEntry,
  lockProjectForRequest,
  requireCompletedProject,
  requireOwnProject,
} from './locks.ts';
export { countSubmission, type EntryProject } from './queries.ts';
export { changeProject } from './update-project.ts';
export { projectDetail, shownHold } from './views.ts';
