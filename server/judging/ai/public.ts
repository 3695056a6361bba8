// judging/ai/ offers the rounds of the AI judge, and whether it still works on a project. The rest is private.

// Recurring work: rounds of the AI judge.
export { createAiQueue } from './ai-queue.ts';
// Whether the AI judge still works on a project.
export { findAiJudgingState } from './ai-queries.ts';
