import { flagOperations } from '../../../contract/operator/flags.ts';
import { serve } from '../../serve.ts';
import { decideFlag } from './decide-flag.ts';
import { listFlags } from './list-flags.ts';

export const flagRoutes = [serve(flagOperations.listFlags, listFlags), serve(flagOperations.decideFlag, decideFlag)];
