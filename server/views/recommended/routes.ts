import { projectOperations } from '../../../contract/projects/projects.ts';
import { serve } from '../../serve.ts';
import { recommendProjects } from './recommended-projects.ts';

export const recommendedRoutes = [serve(projectOperations.recommendProjects, recommendProjects)];
