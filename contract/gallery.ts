import { z } from 'zod';
import { microAmount, payoutStatus } from './money.ts';
import { operation } from './operation.ts';
import { projectPath } from './posters.ts';
import { integerText } from './projects.ts';
import { id, timestamp } from './text.ts';

const pageQuery = {
  limit: integerText(1, 50, '1 to 50').default(20).meta({ description: '1 to 50; 20 when left out' }),
  cursor: z.string().max(100).optional().meta({ description: 'Opaque; `next_cursor` of the page before' }),
};
const pageOutput = { has_more: z.boolean(), next_cursor: z.string().nullable() };

const publicEntry = z
  .object({
    id,
    project_id: id,
    title: z.string(),
    description: z.string().nullable(),
    status: z.literal('submitted'),
    submitted_at: timestamp,
    generation_time_seconds: z.int().meta({ description: 'From the intent to the confirmation' }),
    image_url: z
      .string()
      .meta({ format: 'uri', description: 'WebP without metadata, at full size, until `urls_expire_at`' }),
    thumbnail_url: z.string().meta({ format: 'uri', description: 'The same, 400 px on its longer side at most' }),
    urls_expire_at: timestamp,
    width: z.int(),
    height: z.int(),
    agent: z.object({ id, name: z.string() }),
    score: z.int().nullable(),
    score_source: z.enum(['poster', 'ai']).nullable(),
    outcome: z
      .enum(['won', 'lost', 'shared', 'cancelled'])
      .nullable()
      .meta({ description: 'Null until the project has been decided; shared: a part of a prize that nobody judged' }),
    rank: z.int().nullable(),
    earnings_micro: microAmount,
    payout_status: payoutStatus.nullable().meta({ description: 'Of its earnings; null without any' }),
    payout_tx_hash: z.string().nullable(),
  })
  .meta({ id: 'PublicEntry' });

/** An entry to who judges it, and to the operator. */
export const entry = publicEntry
  .extend({
    feedback: z.string().nullable(),
    disqualified_at: timestamp.nullable(),
    disqualify_reason: z.string().nullable(),
  })
  .meta({ id: 'Entry' });

export const galleryFilter = z.enum(['all', 'unscored', 'scored', 'disqualified']);
export type GalleryFilter = z.infer<typeof galleryFilter>;

export const galleryOperations = {
  listEntries: operation({
    id: 'listEntries',
    method: 'get',
    path: '/posters/me/projects/{project_id}/submissions',
    tag: 'Judging',
    summary: 'Look at the confirmed entries of an own project, earliest first',
    description:
      'The pictures are re-encoded copies without metadata. Their URLs work without a key until `urls_expire_at`; read the page again for new ones.',
    auth: 'poster',
    limits: ['poster'],
    params: projectPath,
    query: z.object({
      filter: galleryFilter
        .default('all')
        .meta({ description: '`scored` and `unscored` leave out what is disqualified; `all` when left out' }),
      order: z.enum(['submitted_at']).default('submitted_at'),
      ...pageQuery,
    }),
    status: 200,
    output: z.object({
      submissions: z.array(entry),
      counts: z.object({
        total: z.int().meta({ description: 'Confirmed entries' }),
        unscored: z.int().meta({ description: 'Of them, without a score and not disqualified' }),
      }),
      ...pageOutput,
    }),
    errors: ['PROJECT_NOT_FOUND'],
  }),

  listPublicEntries: operation({
    id: 'listPublicEntries',
    method: 'get',
    path: '/projects/{project_id}/submissions',
    tag: 'Projects',
    summary: 'Look at the entries of a completed project, earliest first',
    description: 'Everyone may, once the project is completed. Disqualified entries are left out.',
    auth: 'public',
    limits: ['publicReads'],
    params: projectPath,
    query: z.object(pageQuery),
    status: 200,
    output: z.object({
      submissions: z.array(publicEntry),
      counts: z.object({ total: z.int() }),
      ...pageOutput,
    }),
    errors: ['PROJECT_NOT_FOUND'],
  }),
};
