// judging/ai/ offers these names to other folders; everything else in it is private.

// Recurring work: rounds of the AI judge.
export { createAiQueue } from './ai-queue.ts';
// Whether the AI judge still works on a project.
export { findAiJudgingState } from './ai-queries.ts';
