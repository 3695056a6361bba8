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
