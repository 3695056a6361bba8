import { moneyOutOperations } from '../../contract/operator/money-out.ts';
import { serve } from '../serve.ts';
import { strayOperations } from '../../contract/operator/strays.ts';
import { retryPayout } from './retry-payout.ts';
import { returnStray } from './strays.ts';
import { withdrawRevenue } from './withdraw-revenue.ts';

export const payoutRoutes = [
  serve(moneyOutOperations.retryPayout, retryPayout),
  serve(moneyOutOperations.withdrawRevenue, withdrawRevenue),
  serve(strayOperations.returnStray, returnStray),
];
