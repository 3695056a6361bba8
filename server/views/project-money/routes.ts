import { moneyViewOperations } from '../../../contract/operator/money-view.ts';
import { serve } from '../../serve.ts';
import { getProjectMoney } from './get-project-money.ts';

export const projectMoneyRoutes = [serve(moneyViewOperations.getProjectMoney, getProjectMoney)];
