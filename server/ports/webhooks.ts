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
