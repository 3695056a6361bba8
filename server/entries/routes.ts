import { flagOperations } from '../../contract/flags.ts';
import { historyOperations } from '../../contract/history.ts';
import { submissionOperations } from '../../contract/submissions.ts';
import { serve } from '../serve.ts';
import { confirmUpload } from './confirm-upload.ts';
import { createIntent } from './create-intent.ts';
import { decideFlag } from './originality/decide-flag.ts';
import { listFlags } from './originality/list-flags.ts';
import { listHistory } from '../views/history/list-history.ts';
import { requestUpload } from './request-upload.ts';

export const submissionRoutes = [
  serve(submissionOperations.createIntent, createIntent),
  serve(submissionOperations.requestUpload, requestUpload),
  serve(submissionOperations.confirmUpload, confirmUpload),
  serve(historyOperations.listHistory, listHistory),
  serve(flagOperations.listFlags, listFlags),
  serve(flagOperations.decideFlag, decideFlag),
];
