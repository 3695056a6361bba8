import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChainWait } from './await-outcome.ts';

const LOOK_MS = 5;

/** A node that has been silent for these times, one after the other; the last one stays. */
function nodeThat(...silent: number[]) {
  let looks = 0;
  return { silentMs: () => silent[Math.min(looks++, silent.length - 1)] ?? 0, looks: () => looks };
}

async function untilLooked(node: { looks(): number }, times: number): Promise<void> {
  while (node.looks() < times) await sleep(LOOK_MS);
}

describe('the wait for a payment', () => {
  it('ends early when the node stays silent', async () => {
    const node = nodeThat(0, 1_900, 2_500);
    const wait = startChainWait(60_000, node, LOOK_MS);
    assert.equal(await wait.over, 'over');
    assert.ok(wait.signal.aborted);
    assert.equal(node.looks(), 4);
    wait.end();
  });

  it('goes on with a node that answers in between, and looks no more once it has ended', async () => {
    const node = nodeThat(2_500, 0, 2_500, 0);
    const wait = startChainWait(60_000, node, LOOK_MS);
    await untilLooked(node, 6);
    assert.equal(wait.signal.aborted, false);
    wait.end();
    const looks = node.looks();
    await sleep(4 * LOOK_MS);
    assert.equal(node.looks(), looks);
  });

  it('ends after its time in any case', async () => {
    const wait = startChainWait(20, nodeThat(0), LOOK_MS);
    assert.equal(await wait.over, 'over');
    wait.end();
  });
});
