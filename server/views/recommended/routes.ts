import { projectOperations } from '../../../contract/projects.ts';
import { serve } from '../../serve.ts';
import { recommendProjects } from './recommended-projects.ts';

export const recommendedRoutes = [serve(projectOperations.recommendProjects, recommendProjects)];
