import type { z } from 'zod';
import type { attemptResult } from '../../contract/webhooks.ts';

/** The outcome of one attempt. */
export type DeliveryOutcome = {
  /** The status of the response; null without a response. */
  status: number | null;
  /** Why the attempt failed; null when it succeeded. */
  failure: z.output<typeof attemptResult.failure>;
  latencyMs: number;
  /** The first KB of the response's body, as printable text; null before the head has arrived. */
  answer: string | null;
};

/** Where a URL leads now. */
export type WebhookTarget = Pick<DeliveryOutcome, 'failure'> & {
  /** The /24 (IPv4) or /48 (IPv6) network; null where requests have no bound, or where the URL leads nowhere. */
  network: string | null;
};

/**
 * Sends one POST to a URL that a stranger chose. Never throws: a failure is an outcome. Null: nothing was sent, because the
 * network had no room for `waitMs`, 15,000 by default.
 */
export type DeliverWebhook = (delivery: {
  url: string;
  headers: Record<string, string>;
  body: string | Uint8Array;
  waitMs?: number | undefined;
}) => Promise<DeliveryOutcome | null>;

/** Encrypts signing secrets for the database, with a key that is not in the database. Each secret is bound to its row. */
export type WebhookSecrets = {
  seal(webhookId: string, secret: Buffer): Buffer;
  /** @throws Error when the secret was not sealed with this key for this row */
  open(webhookId: string, sealed: Buffer): Buffer;
  /** Whether the secret was sealed with the key that seals now. */
  isCurrent(webhookId: string, sealed: Buffer): boolean;
};
