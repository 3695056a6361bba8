import { networkOperations } from '../../contract/network.ts';
import { operatorOperations } from '../../contract/operator.ts';
import { serve } from '../serve.ts';
import { getLedger } from './get-ledger.ts';
import { getNetwork } from './get-network.ts';
import { mintTestUsdc } from './mint-test-usdc.ts';

export const paymentRoutes = [
  serve(networkOperations.getNetwork, getNetwork),
  serve(networkOperations.mintTestUsdc, mintTestUsdc),
  serve(operatorOperations.getLedger, getLedger),
];
