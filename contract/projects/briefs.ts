import { z } from 'zod';
import { operation } from '../basics/operation.ts';
import { draftFields, oneProject, projectPath } from '../posters.ts';

/** Copies of projects. */
export const briefOperations = {
  duplicateProject: operation({
    id: 'duplicateProject',
    method: 'post',
    path: '/posters/me/projects/{project_id}/duplicate',
    tag: 'Posters',
    summary: 'Copy your project to a new draft',
    description:
      'Copies texts, settings, and reference pictures of a project in any state. Money and deadline are not copied. Other fields of the body replace copied ones.',
    auth: 'poster',
    idempotent: true,
    limits: ['poster'],
    params: projectPath,
    body: z
      .strictObject(draftFields)
      .partial()
      .required({ prize_amount: true, entry_fee: true, auto_select_deadline: true }),
    status: 201,
    output: oneProject,
    errors: ['PROJECT_NOT_FOUND'],
  }),
};
