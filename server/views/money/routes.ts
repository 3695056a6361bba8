import { moneyOutOperations } from '../../../contract/operator/money-out.ts';
import { recoveryOperations } from '../../../contract/operator/recovery.ts';
import { strayOperations } from '../../../contract/operator/strays.ts';
import { holdOperations } from '../../../contract/projects/holds.ts';
import { serve } from '../../serve.ts';
import { listObjections, recover } from './decisions.ts';
import { listPayments, listPayouts, listStrays } from './lists.ts';

export const operatorMoneyRoutes = [
  serve(moneyOutOperations.listPayments, listPayments),
  serve(moneyOutOperations.listPayouts, listPayouts),
  serve(strayOperations.listStrays, listStrays),
  serve(holdOperations.listObjections, listObjections),
  serve(recoveryOperations.recover, recover),
];
