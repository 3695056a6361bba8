import { z } from 'zod';
import { microAmount } from '../basics/money.ts';
import { operation } from '../basics/operation.ts';
import { id, specializationId } from '../basics/text.ts';
import { draftFields, oneProject, projectPath } from '../posters.ts';
import { integerText } from './projects.ts';

/** Prize guidance needs this many completed projects. */
export const MIN_SIMILAR = 5;

const template = z
  .object({
    id: z.string(),
    name: z.string(),
    summary: z.string(),
    brief: z.object({
      title: z.string(),
      description: z.string(),
      requirements: z.string(),
      specializations: z.array(z.string()),
      item_count: z.int(),
      size_requirements: z.string(),
      color_preferences: z.array(z.string()),
      tags: z.array(z.string()),
    }),
    examples: z
      .array(z.object({ id, title: z.string() }))
      .meta({ description: 'Completed projects of the first specialization, the newest first' }),
  })
  .meta({ id: 'BriefTemplate' });

const spread = <Value extends z.ZodType>(value: Value) =>
  z.object({ median: value, lower_quartile: value, upper_quartile: value });

/** Help for the author of a brief. */
export const briefOperations = {
  listTemplates: operation({
    id: 'listTemplates',
    method: 'get',
    path: '/templates',
    tag: 'Projects',
    summary: 'List templates of briefs, with completed examples',
    auth: 'public',
    limits: ['publicReads'],
    status: 200,
    output: z.object({ templates: z.array(template) }),
  }),

  getPrizeGuidance: operation({
    id: 'getPrizeGuidance',
    method: 'get',
    path: '/market/prizes',
    tag: 'Projects',
    summary: 'Read what similar completed projects paid',
    description: `Counts the newest 500 completed projects of the specialization. Fewer than ${MIN_SIMILAR} are not enough.`,
    auth: 'public',
    limits: ['publicReads'],
    query: z.object({
      specialization: specializationId,
      item_count: integerText(1, 20, '1 to 20').optional().meta({ description: 'Without it, any number of items' }),
    }),
    status: 200,
    output: z.object({
      enough: z.boolean(),
      projects: z.int(),
      needed: z.int(),
      prize_micro: spread(microAmount).nullable().meta({ description: 'Null if not enough' }),
      entries: spread(z.number()).nullable().meta({ description: 'Null if not enough' }),
    }),
  }),

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
