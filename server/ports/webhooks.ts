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

/** How one attempt went. */
export type DeliveryOutcome = {
  ok: boolean;
  /** Of the answer, when there was one. */
  status: number | null;
  failure: DeliveryFailure | null;
  latencyMs: number;
  /** The first KB of the answer's body. */
  answer: string | null;
  /** The /24 or /48 that was connected to, or would have been. */
  network: string | null;
};

/** One POST to a URL that a stranger chose, within 5 s or what is given. Never throws: whatever happens is an outcome. */
export type DeliverWebhook = (delivery: {
  url: string;
  headers: Record<string, string>;
  body: Uint8Array;
  deadlineMs?: number;
}) => Promise<DeliveryOutcome>;

/** Signing secrets as the database keeps them: under a key from outside of it, each bound to its row. */
export type WebhookSecrets = {
  seal(webhookId: string, secret: Buffer): Buffer;
  /** @throws Error for what this key did not seal for this row */
  open(webhookId: string, sealed: Buffer): Buffer;
};
