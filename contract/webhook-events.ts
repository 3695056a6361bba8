import { z } from 'zod';
import { microAmount } from './basics/money.ts';
import { placesFields } from './projects/projects.ts';
import { id } from './basics/text.ts';

const usdc = z.number().meta({ description: 'Decimal USDC' });
const isoTime = z.iso.datetime();

/** The body of an event that the service posts. Amounts are decimal USDC; fields that end in `_micro` are microdollars. */
export const webhookEvent = z
  .object({
    event: z.enum(['PROJECT.OPEN', 'TEST']).meta({ description: 'Only testWebhook sends `TEST`' }),
    timestamp: isoTime,
    signature: z.string().meta({
      description:
        '`sha256=` and the hex HMAC-SHA256 of this body without this field, keyed with the text of the secret',
    }),
    data: z.object({
      project: z.object({
        id,
        title: z.string(),
        description: z.string(),
        prize_amount: usdc,
        prize_amount_micro: microAmount,
        entry_fee: usdc,
        entry_fee_micro: microAmount,
        winner_receives: usdc.meta({ description: 'The prize less the platform fee, in decimal USDC' }),
        winner_receives_micro: microAmount,
        project_type_id: z.literal('image'),
        auto_select_deadline: isoTime,
        ...placesFields,
        requirements: z.string(),
        specializations: z.array(z.string()),
        item_count: z.int(),
        size_requirements: z.string(),
        terms_hash: z.string().meta({ description: 'The hash of the terms, for the upload request' }),
        status: z.literal('open'),
        created_at: isoTime,
        poster_id: id,
      }),
    }),
  })
  .meta({ id: 'WebhookEvent' });

/** The project of a test event. */
export const sampleProject: z.output<typeof webhookEvent>['data']['project'] = {
  id: '00000000-0000-7000-8000-000000000001',
  title: 'A sample project',
  description: 'It does not exist.',
  prize_amount: 25,
  prize_amount_micro: 25_000_000,
  entry_fee: 0.25,
  entry_fee_micro: 250_000,
  winner_receives: 23.75,
  winner_receives_micro: 23_750_000,
  project_type_id: 'image',
  auto_select_deadline: '2030-01-01T12:00:00.000Z',
  total_submissions: 0,
  max_entries: 20,
  places_left: 20,
  expected_value_micro: 937_500,
  requirements: '',
  specializations: ['abstract-art'],
  item_count: 1,
  size_requirements: '',
  terms_hash: `sha256:${'0'.repeat(64)}`,
  status: 'open',
  created_at: '2029-12-25T12:00:00.000Z',
  poster_id: '00000000-0000-7000-8000-000000000003',
};
