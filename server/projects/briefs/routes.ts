import { briefOperations } from '../../../contract/projects/briefs.ts';
import { referenceOperations } from '../../../contract/projects/references.ts';
import { serve } from '../../serve.ts';
import { briefFaultsOf } from '../public.ts';
import { addReference } from './add-reference.ts';
import { confirmReference } from './confirm-reference.ts';
import { duplicateProject } from './duplicate-project.ts';
import { listReferences } from './list-references.ts';
import { removeReference } from './remove-reference.ts';

export const briefRoutes = [
  serve(referenceOperations.listReferences, listReferences),
  serve(referenceOperations.addReference, addReference),
  serve(referenceOperations.confirmReference, confirmReference),
  serve(referenceOperations.removeReference, removeReference),
  serve(briefOperations.duplicateProject, duplicateProject, { furtherFaults: briefFaultsOf }),
];
