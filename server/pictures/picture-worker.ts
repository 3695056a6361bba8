import { answerJobs } from './decode-worker.ts';
import { inspect } from './inspect-image-worker.ts';
import type { InspectJob } from './inspect-image.ts';
import type { CopyJob } from './public-copies-renderer.ts';
import { copy } from './public-copies-worker.ts';

/** Inspects pictures and renders copies, one picture at a time. Runs in a process of decode-process.ts. */
answerJobs(
  (message) => message as InspectJob | CopyJob,
  (job) => ('sha256' in job ? copy(job) : inspect(job)),
);
