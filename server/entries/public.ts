// The exports of entries/. Other folders import nothing else from it.

// Confirmed entries, for judging: reading, locking, scoring by the poster, and outcomes.
export {
  entriesOf,
  entriesWait,
  findEntryOfAgent,
  hasConfirmedEntry,
  hasEligibleEntry,
  inspectionsWait,
  lockEntry,
  recordCancelled,
  recordDisqualification,
  recordOutcomes,
  recordPaid,
  recordReview,
  submissionIdsOf,
  unconfirmedIdsOf,
  type Decided,
  type EntryRow,
} from './entries.ts';
// The payable subject of entry fees, for payments.
export { entryFeeSubject } from './entry-fee.ts';
// The original of a confirmed picture, for its public copies.
export { findOriginal } from './queries.ts';
// The step that comes next for a submission, and the error for an unknown one.
export { nextStep, type FileState } from './next-step.ts';
export { submissionNotFound } from './state.ts';
// The daily quota of an agent, for the headers of its limits.
export { usedQuota } from './used-quota.ts';
// The inspections of a process, the job that resumes those of others, and the number of those that wait.
export { countInspecting } from './inspection-queries.ts';
export { createInspections, INSPECTION_TIMES } from './inspections.ts';
export { resumeInspections } from './resume-inspections.ts';
// A recurring job.
export { removeLeftoverUploads } from './remove-leftover-uploads.ts';
// The rules of an intent and of an upload request, and what they read, for before-paying/.
export { findCurrentFile, findEntryOf, listOpenIntents, type MediaFileRow, type SubmissionRow } from './queries.ts';
export { requireNothingUploaded } from './request-upload.ts';
export { activeSince, entryExists, requireForeignFunds, requireItem, requireQuota, requireRoom } from './state.ts';
// The operations of this folder.
export { entryRoutes } from './routes.ts';
// Entries for the AI judge, and its scores.
export { entriesToScore, entryToScore, scoreEntries, type ScoredEntry } from './score-entries.ts';
