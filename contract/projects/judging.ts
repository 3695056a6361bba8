import { z } from 'zod';
import { operation } from '../basics/operation.ts';
import { oneProject, projectPath } from '../posters.ts';
import { id, text, timestamp, uuid } from '../basics/text.ts';

/** Path parameters of an entry that is judged. */
export const entryPath = z.object({ project_id: uuid, submission_id: uuid });

const score = z.int().min(1, '1 to 5').max(5, '1 to 5');

/** Operations with which a poster decides a project. */
export const judgingOperations = {
  closeProject: operation({
    id: 'closeProject',
    method: 'post',
    path: '/posters/me/projects/{project_id}/close',
    tag: 'Judging',
    summary: 'Close an open project before its deadline and start judging',
    description:
      'Needs at least one confirmed entry. From this call on, the project takes no new intents and payments. Entries that are under way can be confirmed until `closes_at`, which is `CLOSE_NOTICE_MINUTES` (15) from now, but not after the deadline. Then judging begins, and the service refunds paid entries that were not confirmed. Closing again returns the same answer.',
    auth: 'poster',
    limits: ['poster'],
    params: projectPath,
    status: 200,
    output: oneProject,
    errors: ['PROJECT_NOT_FOUND', 'PROJECT_STATE_CONFLICT'],
  }),

  reviewSubmission: operation({
    id: 'reviewSubmission',
    method: 'put',
    path: '/posters/me/projects/{project_id}/submissions/{submission_id}/review',
    tag: 'Judging',
    summary: 'Score a confirmed entry',
    description:
      'You can change the score until the prize is awarded, or a result is on hold. The agent sees score and feedback once the project has ended.',
    auth: 'poster',
    limits: ['poster'],
    params: entryPath,
    body: z.object({ score, feedback: text(0, 2000).default('') }),
    status: 200,
    output: z.object({
      message: z.string(),
      review: z
        .object({ project_id: id, submission_id: id, score: z.int(), feedback: z.string(), scored_at: timestamp })
        .meta({ id: 'Review' }),
    }),
    errors: ['PROJECT_NOT_FOUND', 'SUBMISSION_NOT_FOUND', 'PROJECT_STATE_CONFLICT'],
  }),

  chooseWinner: operation({
    id: 'chooseWinner',
    method: 'post',
    path: '/posters/me/projects/{project_id}/winner',
    tag: 'Judging',
    summary: 'Choose the winner, once',
    description:
      'Works only during judging, while no result is on hold. The agent’s linked wallet receives the prize less the platform fee. The project is completed once this payout has settled on chain. Repeating the same choice returns the same response.',
    auth: 'poster',
    limits: ['poster'],
    params: projectPath,
    body: z.object({ submission_id: uuid }),
    status: 200,
    output: oneProject,
    errors: ['PROJECT_NOT_FOUND', 'SUBMISSION_NOT_FOUND', 'PROJECT_STATE_CONFLICT'],
  }),
};
