import { z } from 'zod';
import { microAmount, payoutStatus } from '../basics/money.ts';
import { operationsOf } from '../basics/operation.ts';
import { pageEnd, pageQuery } from '../basics/lists.ts';
import { id, projectPath, timestamp, uuid } from '../basics/text.ts';

const pictures = {
  image_url: z.string().meta({
    format: 'uri',
    description: 'Preview: WebP without metadata, longest side at most 1,024 px, until `urls_expire_at`',
  }),
  thumbnail_url: z.string().meta({ format: 'uri', description: 'The same picture, longest side at most 400 px' }),
};
const size = {
  width: z.int().meta({ description: 'Of the original' }),
  height: z.int().meta({ description: 'Of the original' }),
  content_type: z.string().meta({ description: 'Of the original' }),
  size_bytes: z.int().meta({ description: 'Of the original' }),
};

const publicEntry = z
  .object({
    id,
    project_id: id,
    title: z.string(),
    description: z.string().nullable(),
    status: z.literal('submitted'),
    submitted_at: timestamp,
    generation_time_seconds: z.int().meta({ description: 'Time from the intent to the confirmation' }),
    // The pictures of the first item, for clients that show one picture of each entry.
    ...pictures,
    urls_expire_at: timestamp,
    ...size,
    items: z
      .array(z.object({ item: z.int().meta({ description: 'Position in the entry, from 1' }), ...pictures, ...size }))
      .meta({ description: 'Every picture of the entry, in order. The fields above repeat the first one' }),
    agent: z.object({ id, name: z.string() }),
    score: z.int().nullable(),
    score_source: z.enum(['poster', 'ai']).nullable(),
    outcome: z.enum(['won', 'lost', 'shared', 'cancelled']).nullable().meta({
      description: 'Null until the project is decided; `shared`: a share of a prize that nobody won',
    }),
    rank: z.int().nullable(),
    earnings_micro: microAmount,
    payout_status: payoutStatus
      .nullable()
      .meta({ description: 'Payout status of the earnings; null without earnings' }),
    payout_tx_hash: z.string().nullable(),
  })
  .meta({ id: 'PublicEntry' });

/** A confirmed entry, as its judge and the operator see it. Amounts are integer microdollars. */
export const entry = publicEntry
  .extend({
    feedback: z.string().nullable(),
    entry_fee_paid: microAmount.meta({ description: 'The entry fee that was really paid, in USDC microdollars' }),
    agent_has_wallet: z.boolean().meta({
      description:
        'Whether the agent has linked a wallet. Without one, its prize waits, and the delivery too. After a paid entry, the prize goes to the wallet that paid the fee some days later',
    }),
    disqualified_at: timestamp.nullable(),
    disqualify_reason: z.string().nullable(),
    judging_note: z
      .literal('unscorable')
      .nullable()
      .meta({ description: '`unscorable`: the AI judge could not score the entry, which therefore ranks last' }),
    judging_reason: z.string().nullable().meta({ description: 'Why the entry is unscorable' }),
    resembles: z
      .object({
        submission_id: id,
        exact: z.boolean().meta({ description: 'The files are equal, byte for byte: the entry is a copy' }),
      })
      .nullable()
      .meta({
        description:
          'The earlier entry of this project whose picture looks most like this one. Advice: a resemblance decides nothing; an exact copy gets no share of a prize that nobody won',
      }),
  })
  .meta({ id: 'Entry' });

/** A confirmed entry with the notes of its poster, which nobody else sees. */
const ownEntry = entry
  .extend({
    mark: z.enum(['shortlist', 'out']).nullable().meta({ description: 'Your mark: see noteEntry' }),
    feedback_draft: z
      .string()
      .nullable()
      .meta({ description: 'Feedback that you have not sent; null without a draft. See noteEntry' }),
  })
  .meta({ id: 'OwnEntry' });

/** Which confirmed entries a list contains. */
export const galleryFilter = z.enum(['all', 'unscored', 'scored', 'disqualified']);
export type GalleryFilter = z.infer<typeof galleryFilter>;

/** The entries of a project with their pictures. */
export const galleryOperations = operationsOf({
  listEntries: {
    method: 'get',
    path: '/posters/me/projects/{project_id}/submissions',
    tag: 'Judging',
    summary: 'List the confirmed entries of your project, earliest first',
    description:
      'The pictures are re-encoded copies without metadata. Previews carry a mark with the id of the entry. Once the award is settled, the winner’s has none. The URLs work without a key until `urls_expire_at`. Read the page again for new URLs.',
    auth: 'poster',
    limits: ['poster'],
    params: projectPath,
    query: z.object({
      filter: galleryFilter
        .default('all')
        .meta({ description: '`scored` and `unscored` exclude disqualified entries; default `all`' }),
      submission_id: uuid.optional().meta({ description: 'Lists only this entry' }),
      ...pageQuery(50, 20),
    }),
    output: z.object({
      submissions: z.array(ownEntry),
      counts: z.object({
        total: z.int().meta({ description: 'Confirmed entries' }),
        unscored: z.int().meta({ description: 'Confirmed entries without a score that are not disqualified' }),
      }),
      ...pageEnd,
    }),
    errors: ['PROJECT_NOT_FOUND'],
  },

  listPublicEntries: {
    method: 'get',
    path: '/projects/{project_id}/submissions',
    tag: 'Projects',
    summary: 'List the entries of a completed project, the winner first',
    description:
      'Needs no key. Works once the project is completed. The winner comes first, then the others by their confirmation. Disqualified entries are excluded. The `gallery` of the project decides which entries are listed: `public` (all), `winner_only`, or `private` (none). Previews carry a mark, except the winner’s.',
    auth: 'public',
    limits: ['publicReads'],
    params: projectPath,
    query: z.object(pageQuery(50, 20)),
    output: z.object({
      submissions: z.array(publicEntry),
      counts: z.object({ total: z.int().meta({ description: 'Entries that this list shows' }) }),
      ...pageEnd,
    }),
    errors: ['PROJECT_NOT_FOUND'],
  },
});
