// What entries/ offers to other folders; everything else in it is private.

export {
  entriesOf,
  entriesWait,
  hasConfirmedEntry,
  hasEligibleEntry,
  lockEntry,
  recordCancelled,
  recordDisqualification,
  recordOutcomes,
  recordPaid,
  recordReview,
  submissionIdsOf,
  type Decided,
  type EntryRow,
} from './entries.ts';
export { entryFeeSubject } from './entry-fee.ts';
export { findOriginal } from './queries.ts';
export { removeLeftoverUploads } from './remove-leftover-uploads.ts';
export { entryRoutes } from './routes.ts';
export { entriesToScore, entryToScore, scoreEntries, type ScoredEntry } from './score-entries.ts';
