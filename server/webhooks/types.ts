import type { z } from 'zod';
import type { attemptResult } from '../../contract/webhooks.ts';

/** The outcome of one attempt. */
export type DeliveryOutcome = {
  ok: boolean;
  /** The status of the response; null without a response. */
  status: number | null;
  /** Why the attempt failed. */
  failure: z.output<typeof attemptResult.failure>;
  latencyMs: number;
  /** The first KB of the response's body. */
  answer: string | null;
  /** The /24 (IPv4) or /48 (IPv6) network that the request reached or would have reached. */
  network: string | null;
};

/** The network that a URL leads to now, or why no delivery is possible. */
export type WebhookTarget = Pick<DeliveryOutcome, 'network' | 'failure'>;

/** Sends one POST to a URL that a stranger chose, within 5 s by default. Never throws: a failure is an outcome. */
export type DeliverWebhook = (delivery: {
  url: string;
  headers: Record<string, string>;
  body: Uint8Array;
  deadlineMs?: number;
}) => Promise<DeliveryOutcome>;

/** Encrypts signing secrets for the database, with a key that is not in the database. Each secret is bound to its row. */
export type WebhookSecrets = {
  seal(webhookId: string, secret: Buffer): Buffer;
  /** @throws Error when the secret was not sealed with this key for this row */
  open(webhookId: string, sealed: Buffer): Buffer;
  /** Whether the secret was sealed with the key that seals now. */
  isCurrent(webhookId: string, sealed: Buffer): boolean;
};
