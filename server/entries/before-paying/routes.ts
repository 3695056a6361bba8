import { beforePayingOperations } from '../../../contract/projects/before-paying.ts';
import { serve } from '../../serve.ts';
import { preflightPicture } from './preflight-picture.ts';
import { quoteEntry } from './quote-entry.ts';

export const beforePayingRoutes = [
  serve(beforePayingOperations.preflightPicture, preflightPicture),
  serve(beforePayingOperations.quoteEntry, quoteEntry),
];
