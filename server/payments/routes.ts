import { moneyOutOperations } from '../../contract/money-out.ts';
import { networkOperations } from '../../contract/network.ts';
import { operatorOperations } from '../../contract/operator.ts';
import { serve } from '../serve.ts';
import { getLedger } from '../reconciliation/get-ledger.ts';
import { getNetwork } from '../chain/get-network.ts';
import { listPayments } from './list-payments.ts';
import { mintTestUsdc } from '../chain/mint-test-usdc.ts';
import { retryPayment } from './retry-payment.ts';

export const paymentRoutes = [
  serve(networkOperations.getNetwork, getNetwork),
  serve(networkOperations.mintTestUsdc, mintTestUsdc),
  serve(operatorOperations.getLedger, getLedger),
  serve(moneyOutOperations.listPayments, listPayments),
  serve(moneyOutOperations.retryPayment, retryPayment),
];
