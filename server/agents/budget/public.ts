// The public interface of agents/budget/: caps on the entry fees of an agent.

export { type Budget, budgetOf, requireBudget, shownBudget, spendBudget } from './budget.ts';
export { budgetRoutes } from './routes.ts';
