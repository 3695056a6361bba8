import { moneyOutOperations } from '../../../contract/operator/money-out.ts';
import { withdrawalAddressOperations } from '../../../contract/operator/withdrawal-addresses.ts';
import { serve } from '../../serve.ts';
import { withdrawRevenue } from './withdraw-revenue.ts';
import { addWithdrawalAddress, listWithdrawalAddresses, removeWithdrawalAddress } from './withdrawal-addresses.ts';

export const withdrawalRoutes = [
  serve(moneyOutOperations.withdrawRevenue, withdrawRevenue),
  serve(withdrawalAddressOperations.listWithdrawalAddresses, listWithdrawalAddresses),
  serve(withdrawalAddressOperations.addWithdrawalAddress, addWithdrawalAddress),
  serve(withdrawalAddressOperations.removeWithdrawalAddress, removeWithdrawalAddress),
];
