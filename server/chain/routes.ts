import { networkOperations } from '../../contract/network.ts';
import { serve } from '../serve.ts';
import { getNetwork } from './get-network.ts';
import { mintTestUsdc } from './mint-test-usdc.ts';

export const chainRoutes = [
  serve(networkOperations.getNetwork, getNetwork),
  serve(networkOperations.mintTestUsdc, mintTestUsdc),
];
