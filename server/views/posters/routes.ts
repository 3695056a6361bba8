import { operatorPosterOperations } from '../../../contract/operator/posters.ts';
import { serve } from '../../serve.ts';
import { getPosterAsOperator, listPosters, setPosterStatus } from './posters.ts';

export const operatorPosterRoutes = [
  serve(operatorPosterOperations.listPosters, listPosters),
  serve(operatorPosterOperations.getPosterAsOperator, getPosterAsOperator),
  serve(operatorPosterOperations.setPosterStatus, setPosterStatus),
];
