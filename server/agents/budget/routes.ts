import { budgetOperations } from '../../../contract/agents/budget.ts';
import { serve } from '../../serve.ts';
import { setBudget } from './set-budget.ts';

export const budgetRoutes = [serve(budgetOperations.setBudget, setBudget)];
