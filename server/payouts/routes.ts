import { moneyOutOperations } from '../../contract/operator/money-out.ts';
import { serve } from '../serve.ts';
import { listPayouts } from './list-payouts.ts';
import { retryPayout } from './retry-payout.ts';
import { withdrawRevenue } from './withdraw-revenue.ts';

export const payoutRoutes = [
  serve(moneyOutOperations.listPayouts, listPayouts),
  serve(moneyOutOperations.retryPayout, retryPayout),
  serve(moneyOutOperations.withdrawRevenue, withdrawRevenue),
];
