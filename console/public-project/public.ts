/**
 * The public page of one project. `MoneyView` shows the project's transfers, and `ProjectRules` its rules and terms. Both
 * are also parts of the poster's page.
 */
export { useLatestDeadline } from './latest-deadline.ts';
export { MoneyView } from './money-view.tsx';
export { ProjectRules, useCloseNotice, useTerms } from './project-rules.tsx';
export { publicProjectRoute } from './routes.ts';
