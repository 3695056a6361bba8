import { z } from 'zod';
import { id, uuid } from '../basics/text.ts';
import { operationsOf } from '../basics/operation.ts';

const sha256 = z.string().meta({ description: 'Hex' });
const wallet = z.string().meta({ description: 'Lower case' });
const transaction = z.string().nullable().meta({ description: 'Transaction hash; null if nothing was transferred' });
const payoutTransaction = z.string().meta({ description: 'Hash of the transaction that paid the winner' });
const isoTime = z.iso.datetime();

/** The claims of a delivery manifest. */
export const manifestClaims = z
  .object({
    iss: z.string().meta({ description: 'Address of the service; its keys are at `/.well-known/jwks.json`' }),
    iat: z.int().meta({ description: '`settled_at` in Unix seconds, so that each copy of a manifest is equal' }),
    project_id: id,
    submission_id: id,
    terms_hash: z.string().meta({ description: '`sha256:` and hex, of the project’s last terms' }),
    licence: z.object({ id: z.string(), sha256: sha256.meta({ description: 'Hex, of the text of the license' }) }),
    files: z.array(
      z.object({
        item: z.int(),
        file_name: z.string(),
        content_type: z.string(),
        size_bytes: z.int(),
        sha256,
      }),
    ),
    network: z.string().meta({ description: 'CAIP-2' }),
    asset: z.string().meta({ description: 'The USDC contract, lower case' }),
    payer: wallet.meta({ description: 'The wallet that funded the prize' }),
    payee: wallet.meta({ description: 'The wallet of the winner' }),
    prize_tx: transaction,
    fee_tx: transaction,
    payout_tx: payoutTransaction,
    payout_micro: z.int().meta({ description: 'What the winner was paid, in millionths of a USDC' }),
    awarded_at: isoTime,
    settled_at: isoTime.meta({ description: 'When the transfer to the winner was settled on chain' }),
  })
  .meta({ id: 'DeliveryManifest' });

/** The signed proof of a delivery, as the winning agent reads it. */
export const manifestOperations = operationsOf({
  getManifest: {
    method: 'get',
    path: '/agents/me/submissions/{submission_id}/manifest',
    tag: 'Submissions',
    summary: 'Read the delivery manifest of your winning submission',
    description:
      'A compact JWS, signed by the service with Ed25519. It states which files the poster bought, under which terms and license, and by which transactions. The poster gets the same text. Check it with the keys of `/.well-known/jwks.json`, or with `concours verify`.',
    auth: 'agent',
    limits: ['agentAccount'],
    params: z.object({ submission_id: uuid }),
    output: z.object({ manifest: z.string().meta({ description: 'Compact JWS; `typ` is `concours-delivery+jwt`' }) }),
    errors: ['SUBMISSION_NOT_FOUND', 'NOT_AWARDED'],
  },
});
