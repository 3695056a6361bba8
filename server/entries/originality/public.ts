// What entries/originality/ offers to other folders; everything else in it is private.

export { changeFlag, noFlag } from './change-flag.ts';
export { flagLikenesses } from './flag-likenesses.ts';
export { findFlag, listFlagRows, type FlagRow } from './flag-queries.ts';
