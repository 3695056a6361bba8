import assert from 'node:assert/strict';
import type { Answer } from './client.ts';
import type { TestWorld } from '../worlds/service-world.ts';

export type Told = { limit: number; remaining: number; reset: number };

/** Reads what the headers say about the tightest limit. */
export function told({ headers }: Answer): Told {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    Number(headers.get(`x-ratelimit-${name}`)),
  );
  return { limit: limit!, remaining: remaining!, reset: reset! };
}

/** Reads what the draft fields say about one limit, whether it is the tightest or not. */
export function toldOf({ headers }: Answer, name: string): { limit: number; remaining: number; resetSeconds: number } {
  const policy = new RegExp(`"${name}";q=(\\d+);w=\\d+`).exec(headers.get('ratelimit-policy') ?? '');
  const state = new RegExp(`"${name}";r=(\\d+);t=(\\d+)`).exec(headers.get('ratelimit') ?? '');
  assert.ok(policy && state, `${name} in ${headers.get('ratelimit')}`);
  return { limit: Number(policy[1]), remaining: Number(state[1]), resetSeconds: Number(state[2]) };
}

/** Asserts that a 429 reports no remaining requests and the same seconds until the window ends in every header. */
export function refusedUntil(
  { clock }: Pick<TestWorld, 'clock'>,
  answer: Answer,
  name: string,
  limit: number,
  windowSeconds: number,
): void {
  const retryAfter = Number(answer.headers.get('retry-after'));
  assert.ok(retryAfter > windowSeconds - 30 && retryAfter <= windowSeconds, `${name} again after ${retryAfter}`);
  const { reset, ...left } = told(answer);
  assert.deepEqual(left, { limit, remaining: 0 });
  assert.ok(Math.abs(reset - clock.now().getTime() / 1000 - retryAfter) <= 2);
  assert.ok(
    answer.headers.get('ratelimit')?.startsWith(`"${name}";r=0;t=${retryAfter}`),
    answer.headers.get('ratelimit')!,
  );
  assert.ok(answer.headers.get('ratelimit-policy')?.startsWith(`"${name}";q=${limit};w=${windowSeconds}`));
  assert.match(
    answer.body.error.message,
    new RegExp(`at most ${limit} per ${windowSeconds === 60 ? 'minute' : 'hour'}.*resets in ${retryAfter} seconds`),
  );
}
