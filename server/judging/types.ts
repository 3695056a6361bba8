/** The AI judge's opinion of an entry: a score from 1 to 5, and the reason, which the agent reads. */
export type Verdict = { score: number; reason: string };

/** A question about one entry. The texts and pictures of users go into `data` and `pictures`. */
export type EntryQuestion = {
  /** Sent as JSON between two lines that users cannot guess. */
  data: Record<string, unknown>;
  pictures: Picture[];
  timeoutMs: number;
  /** Ends the request early, at a shutdown. */
  signal: AbortSignal;
};

/** A small picture has at most 400 px on its longer side, so it costs fewer tokens. */
export type Picture = { bytes: Uint8Array; small: boolean };

/** `problem` is a fixed text, so that an endpoint's text reaches neither logs nor rows. `tokens` is the cost. */
export type ModelAnswer =
  | { kind: 'answer'; verdict: Verdict; tokens: number }
  /** The answer does not fit the question; another try may succeed. */
  | { kind: 'wrong'; problem: string; tokens: number }
  /** The endpoint did not answer; try later. */
  | { kind: 'unavailable'; problem: string; tokens: number; retryAfterMs?: number };

export type AiClient = {
  /** Never rejects because of the endpoint, and never retries. */
  ask(question: EntryQuestion): Promise<ModelAnswer>;
};
