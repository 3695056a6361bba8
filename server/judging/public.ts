// judging/ offers scores, the winner, and cancellation as operations, and the job that moves projects through their phases.
// The rest is private.

// Recurring work: advance projects that are due, and run the AI judge.
export { advanceProjects } from './advance-projects.ts';
export { createOpenAiClient } from './ai/openai-client.ts';
export { judgeWithAi } from './ai/judge-with-ai.ts';

// A recovery makes decisions again that a restore lost.
export { correctWinner, decideAsPaid, type PaidDecision } from './recover-decision.ts';

// An award that nobody claimed is taken back.
export { lapseAward } from './reopen-project.ts';

// payouts/ calls this when a payout is settled, for its agent and its project.
export { settledPayoutHandler } from './settled-payout-handler.ts';

// The operator's desk shows what can be done to a project.
export { possibleActs } from './act-on-project.ts';

// The rounds of the AI judge, and whether it still works on a project.
export { startAiJudging } from './ai/ai-queries.ts';

// Entries with their pictures, for lists of projects and the operator's desk.
export { entriesById } from './gallery/gallery-queries.ts';
export { judgedEntries, picturesOf } from './gallery/gallery-view.ts';
