// entries/originality/ offers the comparison of pictures, its flags, and the operator's decision on them. The rest is
// private.

// The operator's decision on a flag.
export { changeFlag, noFlag } from './change-flag.ts';
// A recurring job.
export { flagLikenesses } from './flag-likenesses.ts';
// Flags, for the operator's list.
export { findFlag, listFlagRows, type FlagRow } from './flag-queries.ts';
