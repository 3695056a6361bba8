// projects/judged-brief/ offers the brief that a judge reads, and the lock of its project while it is judged. The rest is
// private.

// The brief that a judge reads, and the lock of its project while it is judged.
export { briefForJudge, lockWhileJudged } from './brief-for-judge.ts';
export type { BriefForJudge } from './judged-queries.ts';
