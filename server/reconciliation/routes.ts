import { operatorOperations } from '../../contract/operator/operator.ts';
import { serve } from '../serve.ts';
import { getLedger } from './get-ledger.ts';

export const reconciliationRoutes = [serve(operatorOperations.getLedger, getLedger)];
