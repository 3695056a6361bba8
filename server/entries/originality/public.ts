// The exports of entries/originality/. Other folders import nothing else from it.

// The operator's decision on a flag.
export { changeFlag, noFlag } from './change-flag.ts';
// A recurring job.
export { flagLikenesses } from './flag-likenesses.ts';
// Flags, for the operator's list.
export { findFlag, listFlagRows, type FlagRow } from './flag-queries.ts';
