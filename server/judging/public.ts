// What judging/ offers to other folders; everything else in it is private.

export { advanceProjects } from './advance-projects.ts';
export { createAiTurns } from './ai-turns.ts';
export { payoutSettled } from './payout-settled.ts';
export { judgingRoutes } from './routes.ts';
