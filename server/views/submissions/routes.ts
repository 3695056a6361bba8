import { submissionOperations } from '../../../contract/projects/submissions.ts';
import { serve } from '../../serve.ts';
import { getSubmission } from './get-submission.ts';
import { listSubmissions } from './list-submissions.ts';

export const submissionRoutes = [
  serve(submissionOperations.listSubmissions, listSubmissions),
  serve(submissionOperations.getSubmission, getSubmission),
];
