import { networkOperations } from '../../contract/network.ts';
import { serve } from '../serve.ts';
import { mintTestUsdc } from './mint-test-usdc.ts';

export const chainRoutes = [serve(networkOperations.mintTestUsdc, mintTestUsdc)];
