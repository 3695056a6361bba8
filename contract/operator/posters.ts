import { z } from 'zod';
import { statusReason } from '../agents/standing.ts';
import { microAmount } from '../basics/money.ts';
import { asOperator, operationsOf } from '../basics/operation.ts';
import { id, text, timestamp, uuid } from '../basics/text.ts';
import { listQuery, pageEnd, someOf } from '../basics/lists.ts';
import { projectCounts } from '../projects/projects.ts';

const status = z.enum(['active', 'suspended']);

const poster = {
  id,
  name: z.string(),
  status,
  suspended_at: timestamp.nullable(),
  suspend_reason: z.string().nullable(),
  wallet_address: z.string().nullable(),
  created_at: timestamp,
  projects: z.int().meta({ description: 'Drafts included' }),
};

const listed = z.object(poster).meta({ id: 'OperatorPoster' });

const detail = z
  .object({
    ...poster,
    email: z.string().nullable().meta({ description: 'As the poster gave it when it registered; nobody confirmed it' }),
    contact_address: z.string().nullable().meta({ description: 'The confirmed address for notifications' }),
    by_status: projectCounts,
    prizes_micro: microAmount.meta({ description: 'Prizes that it paid into escrow' }),
    escrow_micro: microAmount.meta({ description: 'Prizes of its open projects, and of those in judging' }),
  })
  .meta({ id: 'OperatorPosterDetail' });

const posterPath = z.object({ poster_id: uuid });

/** Posters as the operator sees and suspends them. */
export const operatorPosterOperations = operationsOf({
  listPosters: {
    ...asOperator,
    method: 'get',
    path: '/operator/posters',
    summary: 'List posters, newest first',
    query: z.object({
      state: someOf(status.options),
      search: text(1, 100).optional().meta({ description: 'The beginning of a name, in any letter case' }),
      ...listQuery,
    }),
    output: z.object({ posters: z.array(listed), ...pageEnd }),
  },

  getPosterAsOperator: {
    ...asOperator,
    method: 'get',
    path: '/operator/posters/{poster_id}',
    summary: 'Read one poster',
    params: posterPath,
    output: z.object({ poster: detail }),
    errors: ['NOT_FOUND'],
  },

  setPosterStatus: {
    ...asOperator,
    method: 'put',
    path: '/operator/posters/{poster_id}/status',
    summary: 'Suspend a poster, or make it active again',
    description:
      'A suspended poster publishes nothing new. Its open projects go on by their rules, and no agent loses anything. Repeating the request changes nothing. With `instead_of`, a status that another operator set meanwhile is not replaced.',
    params: posterPath,
    body: z.object({
      status,
      reason: statusReason,
      instead_of: status.optional().meta({ description: 'The status to replace, as you saw it' }),
    }),
    output: z.object({ message: z.string(), poster: detail }),
    errors: ['NOT_FOUND', 'PROJECT_STATE_CONFLICT'],
  },
});
