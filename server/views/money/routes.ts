import { moneyOutOperations } from '../../../contract/operator/money-out.ts';
import { recoveryOperations } from '../../../contract/operator/recovery.ts';
import { strayOperations } from '../../../contract/operator/strays.ts';
import { serve } from '../../serve.ts';
import { recover } from './decisions.ts';
import { listPayments, listPayouts, listRevenue, listStrays } from './lists.ts';

export const operatorMoneyRoutes = [
  serve(moneyOutOperations.listPayments, listPayments),
  serve(moneyOutOperations.listPayouts, listPayouts),
  serve(moneyOutOperations.listRevenue, listRevenue),
  serve(strayOperations.listStrays, listStrays),
  serve(recoveryOperations.recover, recover),
];
