import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { createBreaker } from './breaker.ts';

describe('the circuit breaker of the database', () => {
  it('opens at a failed probe, probes on its own, and closes at the first success', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const answers = [false, false, true];
      let asked = 0;
      const breaker = createBreaker(() => Promise.resolve(answers[asked++] ?? true));
      assert.equal(breaker.isOpen(), false);
      assert.equal(await breaker.probe(), false);
      assert.equal(breaker.isOpen(), true);
      for (const expected of [true, false]) {
        mock.timers.tick(200);
        await new Promise((resolve) => setImmediate(resolve));
        assert.equal(breaker.isOpen(), expected);
      }
      mock.timers.tick(10_000);
      assert.equal(asked, 3, 'a closed breaker asks nothing by itself');
      breaker.stop();
    } finally {
      mock.timers.reset();
    }
  });

  it('takes an error for no, and shares one probe among concurrent callers', async () => {
    let asked = 0;
    const breaker = createBreaker(async () => {
      asked += 1;
      throw new Error('refused');
    });
    assert.deepEqual(await Promise.all([breaker.probe(), breaker.probe(), breaker.answers()]), [false, false, false]);
    assert.equal(asked, 1);
    breaker.stop();
  });

  it('believes a success for a second, where a caller allows it', async () => {
    let asked = 0;
    const breaker = createBreaker(() => Promise.resolve(++asked > 0));
    await breaker.answers();
    await breaker.answers();
    assert.equal(asked, 1);
    await breaker.probe();
    assert.equal(asked, 2);
    breaker.stop();
  });
});
