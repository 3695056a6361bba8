// Token estimates for judges: the public interface of ai/. Only main.ts loads the client.

export { budgetFor, dearestTokens } from './token-budget.ts';
