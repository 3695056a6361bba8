import assert from 'node:assert/strict';
import type { Answer } from '../clients/client.ts';
import { until } from '../processes/processes.ts';

/** Asserts a 503 PAYMENT_PENDING that says when to retry and asks for no money. */
export function assertPending(answer: Answer): void {
  assert.deepEqual([answer.status, answer.body.error?.code], [503, 'PAYMENT_PENDING'], JSON.stringify(answer.body));
  assert.ok(Number(answer.headers.get('retry-after')) > 0, 'it says when to come back');
  assert.equal(answer.headers.get('payment-required'), null);
  assert.equal(answer.body.accepts, undefined);
}

/** Retries after PAYMENT_PENDING, as a client should, until the outcome is known. Returns the final answer. */
export async function untilSettled(ask: () => Promise<Answer>): Promise<Answer> {
  return await until('the outcome of a payment', async () => {
    const answer = await ask();
    if (answer.status !== 503) return answer;
    assertPending(answer);
    return null;
  });
}
