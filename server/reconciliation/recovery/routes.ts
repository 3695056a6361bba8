import { recoveryOperations } from '../../../contract/operator/recovery.ts';
import { serve } from '../../serve.ts';
import { adoptTransfer } from './adopt-transfer.ts';

export const recoveryRoutes = [serve(recoveryOperations.adoptTransfer, adoptTransfer)];
