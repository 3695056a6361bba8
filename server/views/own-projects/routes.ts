import { posterOperations } from '../../../contract/posters.ts';
import { serve } from '../../serve.ts';
import { listOwnProjects } from './list-own-projects.ts';

export const ownProjectRoutes = [serve(posterOperations.listOwnProjects, listOwnProjects)];
