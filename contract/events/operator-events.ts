import { z } from 'zod';
import type { EventOf } from './event-fields.ts';

const alert = (description: string) =>
  z
    .object({
      subject: z.string().nullable().meta({ description: 'For example `payout:<id>`; null if it has none' }),
      message: z.string(),
      details: z.record(z.string(), z.unknown()),
    })
    .meta({ description });

/**
 * The events of the operator: alerts, each of which needs a person. An alert about one subject is told once a day.
 * Those about a dependency are told at each change.
 */
export const operatorEventData = {
  'ALERT.LEDGER_MISMATCH': alert('The books are inconsistent or do not match the chain; payouts are stopped'),
  'ALERT.RECOVERY_NEEDED': alert('The database is older than the chain; no money moves until a recovery has run'),
  'ALERT.PAYMENT_NOT_BOOKED': alert('A transfer is on chain, but its booking failed; the service retries'),
  'ALERT.PAYMENT_FOREIGN': alert('An authorization is used on chain, but no event shows its transfer'),
  'ALERT.PAYOUT_NONCE_SPENT': alert('The nonce of a payout was used for something else'),
  'ALERT.PAYOUT_HELD': alert('A payout or refund is over a cap'),
  'ALERT.SIGNER_DOWN': alert('The remote signer does not answer, or refuses to sign; payouts wait'),
  'ALERT.STRAY_TRANSFER': alert('The treasury received money that belongs to no payment'),
  'ALERT.AI_UNSCORABLE': alert('The model could not score an entry, or all entries, of a project'),
  'ALERT.INSPECTION_GIVEN_UP': alert('A picture could not be inspected for an hour'),
  'ALERT.ORIGINAL_UNAVAILABLE': alert('An original is missing in the bucket, or it changed'),
  'ALERT.DEPENDENCY_DOWN': alert(
    'A part did not answer for 20 s: `database`, `replicas`, `storage`, `chain`, `facilitator`, `signer`, or `limit_store` (Redis)',
  ),
  'ALERT.DEPENDENCY_BACK': alert('The part of an `ALERT.DEPENDENCY_DOWN` has answered for 20 s'),
  'ALERT.FACILITATOR_KEY_WITHOUT_GAS': alert('A facilitator key cannot pay the gas of a transaction'),
  'ALERT.JOB_STUCK': alert('A job did not end for 15 minutes and was started again'),
} as const;

/** An event of the operator, before it has an id and a time. */
export type OperatorEvent = EventOf<typeof operatorEventData>;
