import type { z } from 'zod';

/** What is asked of a model. Data that strangers wrote belongs into `data` and pictures, never into `rules`. */
export type Question<T> = {
  /** Who the model is and what it is to do: our own words alone. */
  rules: string;
  /** Handed over as JSON between two unguessable lines. */
  data: Record<string, unknown>;
  picture?: Picture;
  answer: AnswerShape<T>;
  timeoutMs: number;
  /** Ends the request early, at a shutdown. */
  signal?: AbortSignal;
};

export type AnswerShape<T> = {
  name: string;
  /** What the endpoint is told to hold to. Lengths and ranges are left to `schema`: not every endpoint knows them. */
  jsonSchema: Record<string, unknown>;
  /** What an answer is held against, whatever the endpoint says. */
  schema: z.ZodType<T>;
  maxTokens: number;
};

export type Picture = { bytes: Uint8Array; contentType: string };

/** `problem` is one of our own words: an endpoint's text reaches neither logs nor rows. `tokens` is what it cost. */
export type Answer<T> =
  | { kind: 'answer'; value: T; tokens: number }
  /** It answered, and not what was asked: another try may do better. */
  | { kind: 'wrong'; problem: string; tokens: number }
  /** It did not answer, to this or to anything: try later. */
  | { kind: 'unavailable'; problem: string; tokens: number; retryAfterMs?: number }
  /** `signal` ended it. */
  | { kind: 'stopped'; problem: string; tokens: number };

export type AiClient = {
  /** Never throws over what the endpoint does. */
  ask<T>(question: Question<T>): Promise<Answer<T>>;
};
