// entries/ offers submissions: intents, uploads, the entry fee as a payable subject, and entries for judging. The rest is
// private.

// Confirmed entries, for judging: reading, locking, scoring by the poster, and outcomes.
export { entriesWait, lockEntry, recordPaid } from './entries.ts';
export {
  agentOf,
  agentsIn,
  entriesOf,
  hasConfirmedEntry,
  hasEligibleEntry,
  recordCancelled,
  recordDisqualification,
  recordFeedback,
  recordOutcomes,
  recordReview,
  recordServiceFailure,
  submissionIdsOf,
  confirmedIdsOf,
  copiesAmong,
  decidedOf,
  forgetOutcomes,
  poorIdsOf,
  unconfirmedIdsOf,
  unservedIdsOf,
  type Decided,
  type EntryRow,
} from './entry-queries.ts';
// The payable subject of entry fees, for payments.
export { entryFeeSubject } from './entry-fee.ts';
// The original of a confirmed picture, for its public copies.
export { findOriginal } from './queries.ts';
// The step that comes next for a submission, and the error for an unknown one.
export { nextStep, type FileState } from './next-step.ts';
export { submissionNotFound } from './state.ts';
// Submissions and their files, for the confirmation.
export {
  findOwnSubmission,
  findSubmission,
  lockOwnSubmission,
  lockSubmission,
  markSubmitted,
  type SubmissionRow,
  supersedePending,
} from './queries.ts';
export { requireMayConfirm } from './restricted.ts';
export { generationTimeSeconds, submissionConflict } from './state.ts';
// The daily quota of an agent, for the headers of its limits.
export { shownQuota, usedQuota } from './used-quota.ts';
// A file that comes within another request than its own, for the MCP tools.
export { writeUpload } from './prepare-upload.ts';
// Recurring jobs.
export { lapsePlaces } from './places.ts';
export { removeLeftoverUploads } from './remove-leftover-uploads.ts';
// Entries for the AI judge, and its scores.
export { entriesToScore, scoreEntries } from './score-entries.ts';
export { entryToScore, type ScoredEntry } from './score-queries.ts';
