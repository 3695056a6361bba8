import assert from 'node:assert/strict';
import { isCanceledByPoster, isVanished, sum } from './invariants.ts';
import type { Snapshot } from './snapshot.ts';

/** How many published projects a poster may cancel for free on each UTC day. */
const FREE_CANCELS = 2;

/** Asserts that a poster cancels two published projects a day for free, and each further one for the fee. */
export function checkCancelFees(before: Snapshot, now: Snapshot, cancelFeeMicro: number): void {
  const known = new Set(before.projects.filter(isCanceledByPoster).map(({ id }) => id));
  const fresh = now.projects.filter((project) => isCanceledByPoster(project) && !known.has(project.id));
  for (const { id, poster_id, cancelled_at, prize_micro } of fresh) {
    const day = cancelled_at?.slice(0, 10) ?? '';
    const others = now.projects.filter(
      (each) =>
        isCanceledByPoster(each) &&
        each.poster_id === poster_id &&
        each.id !== id &&
        (each.cancelled_at ?? '').slice(0, 10) >= day,
    );
    const feeMicro = Math.min(cancelFeeMicro, prize_micro);
    const earlier = others.filter((each) => known.has(each.id)).length;
    const expected = new Set([earlier, others.length].map((count) => (count < FREE_CANCELS ? 0 : feeMicro)));
    const back = now.payouts.filter(({ project_id, kind }) => project_id === id && kind === 'refund');
    // A prize that was taken back for good leaves nothing to give back.
    if (now.payments.some((row) => row.subject_id === id && isVanished(row) && !row.watched)) {
      assert.deepEqual(back, [], `the prize of ${id} is lost, and it goes back`);
      continue;
    }
    assert.ok(expected.has(prize_micro - sum(back)), `what is kept of the prize of ${id}, which its poster canceled`);
  }
}
