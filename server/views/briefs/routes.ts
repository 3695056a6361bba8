import { briefOperations } from '../../../contract/projects/briefs.ts';
import { serve } from '../../serve.ts';
import { getPrizeGuidance } from './get-prize-guidance.ts';
import { listTemplates } from './list-templates.ts';

export const briefHelpRoutes = [
  serve(briefOperations.listTemplates, listTemplates),
  serve(briefOperations.getPrizeGuidance, getPrizeGuidance),
];
