import { posterOperations } from '../../contract/posters.ts';
import { serve } from '../serve.ts';
import { deleteProject } from './delete-project.ts';
import { draftProject } from './draft-project.ts';
import { briefFaultsOf } from './editing.ts';
import { getOwnProject } from './get-own-project.ts';
import { publishProject } from './publish-project.ts';

export const projectRoutes = [
  serve(posterOperations.draftProject, draftProject, { furtherFaults: briefFaultsOf }),
  serve(posterOperations.getOwnProject, getOwnProject),
  serve(posterOperations.deleteProject, deleteProject),
  serve(posterOperations.publishProject, publishProject),
];
