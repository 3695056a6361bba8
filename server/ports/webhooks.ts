/** Why an attempt failed. */
export type DeliveryFailure =
  | 'status'
  | 'content_type'
  | 'redirect'
  | 'timeout'
  | 'tls'
  | 'connection'
  | 'refused_address'
  | 'dns'
  | 'too_large';

/** The outcome of one delivery attempt. */
export type DeliveryOutcome = {
  ok: boolean;
  /** The HTTP status, or null without an answer. */
  status: number | null;
  failure: DeliveryFailure | null;
  latencyMs: number;
  /** The first KB of the response body. */
  answer: string | null;
  /** The destination network (/24 or /48), also of a connection that failed. */
  network: string | null;
};

/**
 * Sends one POST to a URL that a user chose, within `deadlineMs` (default 5 s). Never rejects: every failure is an
 * outcome.
 */
export type DeliverWebhook = (delivery: {
  url: string;
  headers: Record<string, string>;
  body: Uint8Array;
  deadlineMs?: number;
}) => Promise<DeliveryOutcome>;

/** Encrypts signing secrets for the database, with a key from outside of it. Each secret is bound to its row. */
export type WebhookSecrets = {
  seal(webhookId: string, secret: Buffer): Buffer;
  /** @throws Error for data that was not sealed with this key for this row */
  open(webhookId: string, sealed: Buffer): Buffer;
};
