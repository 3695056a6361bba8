// The exports of entries/originality/. Other folders import nothing else from it.

// The operator's decision on a flag.
export { changeFlag, noFlag } from './change-flag.ts';
// A recurring job.
export { flagLikenesses } from './flag-likenesses.ts';
// Flags, for the operator's list.
export { findFlag, listFlagRows, type FlagRow } from './flag-queries.ts';
// The facts that shares of a prize depend on: suspected copies, and whether all pictures of a project are compared.
export { suspectedCopies } from './flag-queries.ts';
export { hasUncompared } from './likeness-queries.ts';
