import { marketOperations } from '../../../contract/projects/market.ts';
import { projectOperations } from '../../../contract/projects/projects.ts';
import { serve } from '../../serve.ts';
import { getMarket } from './get-market.ts';
import { getProject } from './get-project.ts';
import { getPublicProject } from './get-public-project.ts';
import { listPublicProjects } from './list-public-projects.ts';

export const marketRoutes = [
  serve(projectOperations.getProject, getProject),
  serve(marketOperations.getMarket, getMarket, { cached: () => '' }),
  serve(marketOperations.listPublicProjects, listPublicProjects, { cached: () => '' }),
  serve(marketOperations.getPublicProject, getPublicProject),
];
