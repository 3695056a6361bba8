import type { ModelQuestion, Picture } from '../ports/ai.ts';

/** Upper bound for a picture: with most models, one of 2048 px costs 300 to 1,700 tokens. */
const PICTURE_TOKENS = 3_000;
/** Upper bound for a small picture: with most models, one of 400 px costs 200 to 300 tokens. */
const SMALL_PICTURE_TOKENS = 1_000;
const ENVELOPE_TOKENS = 300;

/**
 * Returns an upper bound of a question's tokens, at two bytes per token. It serves budgets, and endpoints that report
 * no usage.
 */
export function dearestTokens({
  rules,
  data,
  pictures = [],
  answer,
}: Pick<ModelQuestion<unknown>, 'rules' | 'data' | 'pictures' | 'answer'>): number {
  const bytes = Buffer.byteLength(rules) + Buffer.byteLength(JSON.stringify(data));
  return ENVELOPE_TOKENS + Math.ceil(bytes / 2) + pictureTokens(pictures) + answer.maxTokens;
}

/**
 * Returns the budget of a question, if `budget` is that of a question with one picture. More pictures raise it by the
 * same factor as their cost.
 */
export function budgetFor(pictures: Picture[], budget: number): number {
  return Math.floor((budget * Math.max(PICTURE_TOKENS, pictureTokens(pictures))) / PICTURE_TOKENS);
}

function pictureTokens(pictures: Picture[]): number {
  return pictures.reduce((sum, { small }) => sum + (small ? SMALL_PICTURE_TOKENS : PICTURE_TOKENS), 0);
}
