import { holdOperations } from '../../../contract/projects/holds.ts';
import { serve } from '../../serve.ts';
import { createObjection } from './create-objection.ts';
import { decideObjection } from './decide-objection.ts';
import { holdPayout } from './hold-payout.ts';
import { releasePayout } from './release-payout.ts';

export const holdRoutes = [
  serve(holdOperations.createObjection, createObjection),
  serve(holdOperations.decideObjection, decideObjection),
  serve(holdOperations.holdPayout, holdPayout),
  serve(holdOperations.releasePayout, releasePayout),
];
