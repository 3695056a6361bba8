import { projectOperations } from '../../../contract/projects/projects.ts';
import { serve } from '../../serve.ts';
import { recommendProjects } from './recommend-projects.ts';

export const recommendedRoutes = [serve(projectOperations.recommendProjects, recommendProjects)];
