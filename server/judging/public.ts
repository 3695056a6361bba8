// What judging/ offers to other folders; everything else in it is private.

// HTTP operations of judging and cancellation.
export { judgingRoutes } from './routes.ts';

// Recurring work: advance projects that are due, and run the AI judge.
export { advanceProjects } from './advance-projects.ts';
export { createAiQueue } from './ai/public.ts';

// What a settled payout means for its agent and its project; payouts/ calls it.
export { settledPayoutHandler } from './settled-payout-handler.ts';
