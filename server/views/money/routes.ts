import { moneyOutOperations } from '../../../contract/operator/money-out.ts';
import { strayOperations } from '../../../contract/operator/strays.ts';
import { serve } from '../../serve.ts';
import { listPayments, listPayouts, listStrays } from './lists.ts';

export const operatorMoneyRoutes = [
  serve(moneyOutOperations.listPayments, listPayments),
  serve(moneyOutOperations.listPayouts, listPayouts),
  serve(strayOperations.listStrays, listStrays),
];
