// What judging/ offers to other folders; everything else in it is private.

export { advanceProjects } from './advance-projects.ts';
export { createAiTurns } from './ai-queue.ts';
export { payoutSettled } from './settled-payout-handler.ts';
export { judgingRoutes } from './routes.ts';
