// projects/judged-brief/ offers these names to other folders; everything else in it is private.

// The brief that a judge reads, and the lock of its project while it is judged.
export { briefForJudge, lockWhileJudged } from './brief-for-judge.ts';
export type { BriefForJudge } from './judged-queries.ts';
