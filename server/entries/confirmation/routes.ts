import { submissionOperations } from '../../../contract/projects/submissions.ts';
import { serve } from '../../serve.ts';
import { confirmUpload } from './confirm-upload.ts';

export const confirmationRoutes = [serve(submissionOperations.confirmUpload, confirmUpload)];
