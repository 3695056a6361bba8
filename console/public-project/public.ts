/** The public page of one project. Its facts, state, transfers, and rules are also parts of the poster's page. */
export { useLatestDeadline } from './latest-deadline.ts';
export { MoneyView } from './money-view.tsx';
export { ProjectFacts } from './project-facts.tsx';
export { ProjectState } from './project-state.tsx';
export { ProjectRules, useCloseNotice, useTerms } from './project-rules.tsx';
export { publicProjectRoute } from './routes.ts';
