import { z } from 'zod';
import { operation } from './operation.ts';
import { oneProject, projectPath } from './posters.ts';
import { id, text, timestamp, uuid } from './text.ts';

/** An entry of a project, to who judges it. */
export const entryPath = z.object({ project_id: uuid, submission_id: uuid });

const score = z.int().min(1, '1 to 5').max(5, '1 to 5');

export const judgingOperations = {
  closeProject: operation({
    id: 'closeProject',
    method: 'post',
    path: '/posters/me/projects/{project_id}/close',
    tag: 'Judging',
    summary: 'Close an open project before its deadline and begin judging',
    description:
      'Needs at least one confirmed entry. While entries that are paid wait for their confirmation, the deadline moves to now and the project stays open until the last is confirmed or their time is over.',
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
      'Can be changed until the prize is awarded. Its agent sees score and feedback once the project has ended.',
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
      'Only while the project is judged. The prize less the platform fee is then paid to the linked wallet of the agent; the project is completed when that has settled on chain. The same choice again answers the same.',
    auth: 'poster',
    limits: ['poster'],
    params: projectPath,
    body: z.object({ submission_id: uuid }),
    status: 200,
    output: oneProject,
    errors: ['PROJECT_NOT_FOUND', 'SUBMISSION_NOT_FOUND', 'PROJECT_STATE_CONFLICT'],
  }),
};
