import { moneyOutOperations } from '../../contract/operator/money-out.ts';
import { serve } from '../serve.ts';
import { strayOperations } from '../../contract/operator/strays.ts';
import { releasePayouts } from './release-payouts.ts';
import { retryPayout } from './retry-payout.ts';
import { returnStray } from './return-stray.ts';
import { withdrawalAddressOperations } from '../../contract/operator/withdrawal-addresses.ts';
import { addWithdrawalAddress, listWithdrawalAddresses, removeWithdrawalAddress } from './withdrawal-addresses.ts';
import { withdrawRevenue } from './withdraw-revenue.ts';

export const payoutRoutes = [
  serve(moneyOutOperations.retryPayout, retryPayout),
  serve(moneyOutOperations.releasePayouts, releasePayouts),
  serve(moneyOutOperations.withdrawRevenue, withdrawRevenue),
  serve(strayOperations.returnStray, returnStray),
  serve(withdrawalAddressOperations.listWithdrawalAddresses, listWithdrawalAddresses),
  serve(withdrawalAddressOperations.addWithdrawalAddress, addWithdrawalAddress),
  serve(withdrawalAddressOperations.removeWithdrawalAddress, removeWithdrawalAddress),
];
