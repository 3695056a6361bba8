import { beforePayingOperations } from '../../contract/projects/before-paying.ts';
import { submissionOperations } from '../../contract/projects/submissions.ts';
import { serve } from '../serve.ts';
import { createIntent } from './create-intent.ts';
import { deleteIntent } from './delete-intent.ts';
import { quoteEntry } from './quote-entry.ts';
import { requestUpload } from './request-upload.ts';

export const entryRoutes = [
  serve(submissionOperations.createIntent, createIntent),
  serve(submissionOperations.deleteIntent, deleteIntent),
  serve(beforePayingOperations.quoteEntry, quoteEntry),
  serve(submissionOperations.requestUpload, requestUpload),
];
