// projects/ offers projects: drafts, publication, the lifecycle with its locks, and what other domains read of them. The
// rest is private.

export { lockForChange } from './editing.ts';
export {
  announceClose,
  beginJudging,
  bringForward,
  changeWinner,
  countCancelled,
  holdHeldPayout,
  holdResult,
  lockNextDueProject,
  markAwarded,
  markCancelled,
  markCompleted,
  markReopened,
  planWinner,
  postponeProject,
  scheduleNextCheck,
  type DueProject,
  type Mover,
} from './lifecycle.ts';
export { readProject } from './own-view.ts';
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
export {
  costs,
  findMoneyState,
  listUndecided,
  placeEnd,
  takesEntries,
  countSubmission,
  findProject,
  findPublished,
} from './queries.ts';
export {
  heldColumns,
  type Canceller,
  type HeldResult,
  type ProjectRow,
  type PublishedProject,
  type Selection,
} from './rows.ts';
export { forgetSearches } from '../kept.ts';
export {
  INTENT_BUFFER_SECONDS,
  confirmableUntil,
  projectNotFound,
  requireAcceptingEntries,
  requireConfirmable,
  requireUnfinished,
  stateConflict,
} from './state.ts';
export {
  findProjectForEntry,
  lockProject,
  lockProjectForEntry,
  requireCompletedProject,
  requireProject,
  requirePublicProject,
} from './locks.ts';
export { wordsQuery } from './search/words-query.ts';
export { changeProject } from './update-project.ts';
export { shownHold } from './views.ts';

// projects/references/ offers the reference pictures of projects as rows: adding, freezing, copying, and showing them. The
// rest is private.
export { findReferenceOriginal } from './references/reference-queries.ts';
export { removeUnusedReferences } from './references/remove-unused-references.ts';

// The terms of a project: freezing and revising them, reading them, and requiring those that a client names.
export { licenceUrl } from './terms/licences.ts';
export { findLatestTerms } from './terms/terms-queries.ts';
export { readTerms } from './terms/project-terms.ts';
export { requireStatedTerms, termsUrl } from './terms/stated-terms.ts';
export { agreedRules } from './terms/market-rules.ts';

// The clock of publications, and the times that a search reads from it.
export { advancePublicationClock } from './publication/publication-clock.ts';
