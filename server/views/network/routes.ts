import { networkOperations } from '../../../contract/network.ts';
import { serve } from '../../serve.ts';
import { getNetwork } from './get-network.ts';

export const networkRoutes = [serve(networkOperations.getNetwork, getNetwork)];
