import { posterOperations } from '../../contract/posters.ts';
import { serve } from '../serve.ts';
import { createPoster } from './create-poster.ts';

export const posterRoutes = [serve(posterOperations.createPoster, createPoster)];
