import { briefOperations } from '../../../contract/projects/briefs.ts';
import { anywhere } from '../../read-anywhere.ts';
import { serve } from '../../serve.ts';
import { getPrizeGuidance } from './get-prize-guidance.ts';
import { listTemplates } from './list-templates.ts';

export const briefHelpRoutes = [
  serve(briefOperations.listTemplates, anywhere(listTemplates)),
  serve(briefOperations.getPrizeGuidance, anywhere(getPrizeGuidance)),
];
