import { recoveryOperations } from '../../../contract/operator/recovery.ts';
import { serve } from '../../serve.ts';
import { adoptTransfer } from './adopt-transfer.ts';
import { recoverNow } from './recover-now.ts';

export const recoveryRoutes = [
  serve(recoveryOperations.recover, recoverNow),
  serve(recoveryOperations.adoptTransfer, adoptTransfer),
];
