import { marketOperations } from '../../../contract/projects/market.ts';
import { serve } from '../../serve.ts';
import { getPublicProject } from './get-public-project.ts';
import { listPublicProjects } from './list-public-projects.ts';

export const marketRoutes = [
  serve(marketOperations.listPublicProjects, listPublicProjects, { sharedResults: true }),
  serve(marketOperations.getPublicProject, getPublicProject),
];
