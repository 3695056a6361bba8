import { z } from 'zod';
import { operation } from '../basics/operation.ts';
import { oneProject, projectPath } from '../posters.ts';
import { text } from '../basics/text.ts';

const reason = z.object({ reason: text(1, 500) });

/** The operator's acts while a result is on hold. */
export const holdOperations = {
  holdPayout: operation({
    id: 'holdPayout',
    method: 'post',
    path: '/operator/projects/{project_id}/hold',
    tag: 'Operator',
    summary: 'Hold the payout of a result on hold until you release it',
    auth: 'operator',
    params: projectPath,
    body: reason,
    status: 200,
    output: oneProject,
    errors: ['PROJECT_NOT_FOUND', 'PROJECT_STATE_CONFLICT'],
  }),

  releasePayout: operation({
    id: 'releasePayout',
    method: 'post',
    path: '/operator/projects/{project_id}/release',
    tag: 'Operator',
    summary: 'Make a result on hold final now, and pay it',
    auth: 'operator',
    params: projectPath,
    body: reason,
    status: 200,
    output: oneProject,
    errors: ['PROJECT_NOT_FOUND', 'PROJECT_STATE_CONFLICT'],
  }),
};
