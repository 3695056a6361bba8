import { moneyOutOperations } from '../../contract/operator/money-out.ts';
import { serve } from '../serve.ts';
import { strayOperations } from '../../contract/operator/strays.ts';
import { releasePayouts } from './release-payouts.ts';
import { retryPayout } from './retry-payout.ts';
import { returnStray } from './return-stray.ts';

export const payoutRoutes = [
  serve(moneyOutOperations.retryPayout, retryPayout),
  serve(moneyOutOperations.releasePayouts, releasePayouts),
  serve(strayOperations.returnStray, returnStray),
];
