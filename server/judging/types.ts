import type { z } from 'zod';

/** A question to a model. Text from users belongs into `data` or the pictures, never into `rules`. */
export type ModelQuestion<T> = {
  /** The role and the task of the model, written by the service alone. */
  rules: string;
  /** Sent as JSON between two lines that users cannot guess. */
  data: Record<string, unknown>;
  pictures: Picture[];
  answer: {
    name: string;
    /** The JSON Schema for the endpoint, without lengths and ranges, which not every endpoint supports. */
    jsonSchema: Record<string, unknown>;
    /** Checks every answer, including lengths and ranges. */
    schema: z.ZodType<T>;
    maxTokens: number;
  };
  timeoutMs: number;
  /** Ends the request early, at a shutdown. */
  signal: AbortSignal;
};

/** A small picture has at most 400 px on its longer side, so it costs fewer tokens. */
export type Picture = { bytes: Uint8Array; small: boolean };

/** `problem` is a fixed text, so that an endpoint's text reaches neither logs nor rows. `tokens` is the cost. */
export type ModelAnswer<T> =
  | { kind: 'answer'; value: T; tokens: number }
  /** The answer does not fit the question; another try may succeed. */
  | { kind: 'wrong'; problem: string; tokens: number }
  /** The endpoint did not answer; try later. */
  | { kind: 'unavailable'; problem: string; tokens: number; retryAfterMs?: number };

export type AiClient = {
  /** Never rejects because of the endpoint, and never retries. */
  ask<T>(question: ModelQuestion<T>): Promise<ModelAnswer<T>>;
};
