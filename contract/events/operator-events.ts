import { z } from 'zod';

/** The alerts, each of which needs a person. Log lines have the same names, and `docs/runbooks.md` says what to do. */
export const operatorAlerts = {
  ledger_mismatch: 'The books are inconsistent or do not match the chain; payouts are stopped',
  recovery_needed: 'The database is older than the chain; no money moves until a recovery has run',
  payment_not_booked: 'A transfer is on chain, but its booking failed; the service retries',
  payment_foreign: 'An authorization is used on chain, but no event shows its transfer',
  payout_nonce_spent: 'The nonce of a payout was used for something else',
  payout_held: 'A payout or refund is over a cap',
  signer_down: 'The remote signer does not answer, or refuses to sign; payouts wait',
  stray_transfer: 'The treasury received money that belongs to no payment',
  ai_unscorable: 'The model could not score an entry, or all entries, of a project',
  inspection_given_up: 'A picture could not be inspected for an hour',
  original_unavailable: 'An original is missing in the bucket, or it changed',
  dependency_down:
    'A part did not answer, or was behind, for 20 s: `database`, `replicas`, `storage`, `chain`, `facilitator`, `signer`, or `limit_store` (Redis)',
  dependency_back: 'The part of a `dependency_down` has answered for 20 s',
  facilitator_key_without_gas: 'A facilitator key cannot pay the gas of a transaction',
  job_stuck: 'A job did not end for 15 minutes and was started again',
} as const;

type AlertName = keyof typeof operatorAlerts;

/**
 * The events of the operator. An alert about one subject is told once a day. Those about a dependency are told at each
 * change.
 */
export const operatorEventData = {
  ALERT: z
    .object({
      alert: z.enum(Object.keys(operatorAlerts) as [AlertName, ...AlertName[]]),
      subject: z.string().nullable().meta({ description: 'For example `payout:<id>`; null if it has none' }),
      message: z.string(),
      details: z.record(z.string(), z.unknown()),
    })
    .meta({ description: 'Something needs a person; `alert` names it' }),
} as const;

export type Alert = z.input<typeof operatorEventData.ALERT>;
