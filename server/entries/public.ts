// entries/ offers submissions: intents, uploads, the entry fee as a payable subject, and entries for judging. The rest is
// private.

// Confirmed entries, for judging: reading, locking, scoring by the poster, and outcomes.
export { entriesWait } from './entries.ts';
export {
  agentOf,
  agentsIn,
  entriesOf,
  hasConfirmedEntry,
  hasEligibleEntry,
  lockEntry,
  entryToScore,
  recordAiScores,
  recordCancelled,
  recordDisqualification,
  recordFeedback,
  recordOutage,
  recordOutcomes,
  recordPaid,
  recordReview,
  submissionIdsOf,
  copiesAmong,
  decidedOf,
  forgetOutcomes,
  type Decided,
  type EntryRow,
  type ScoredEntry,
  type Which,
} from './entry-queries.ts';
// The payable subject of entry fees, for payments.
export { entryFeeSubject } from './entry-fee.ts';
// The original of a confirmed picture, for its public copies.
export { findOriginal, findSubmission } from './queries.ts';
// The error for an unknown submission.
export { submissionNotFound } from './state.ts';
// The daily quota of an agent, for the headers of its limits.
export { shownQuota, usedQuota } from './used-quota.ts';
// A file that comes within another request than its own, for the MCP tools.
export { isUploadOf, writeUpload } from './prepare-upload.ts';
// Recurring jobs.
export { lapsePlaces } from './places.ts';
export { removeLeftoverUploads } from './remove-leftover-uploads.ts';

// Confirmations and the inspections behind them.
export { countInspecting, inspectionsWait } from './confirmation/inspection-queries.ts';
export { resumeInspections } from './confirmation/resume-inspections.ts';
export { createInspections, INSPECTION_TIMES } from './confirmation/inspections.ts';
