import { projectOperations } from '../../../contract/projects/projects.ts';
import { serve } from '../../serve.ts';
import { searchProjects } from './search-projects.ts';

export const searchRoutes = [
  serve(projectOperations.searchProjects, searchProjects, {
    cached: ({ caller }) => (caller.kind === 'agent' ? caller.tier : ''),
  }),
];
