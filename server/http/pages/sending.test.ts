import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { sendParts } from './sending.ts';

const CHUNK = 64 * 1024;
const rate = { windowMs: 60_000, leastBytes: 2 * CHUNK };

describe('a body that is sent', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  function sent(chunks: number) {
    const { stream, ended } = sendParts([Buffer.alloc(chunks * CHUNK)], rate, undefined);
    const reader = stream.getReader();
    const take = async (count: number) => {
      for (let left = count; left > 0; left -= 1) assert.equal((await reader.read()).value?.length, CHUNK);
    };
    return { reader, ended, take };
  }

  it('goes on for as long as the client takes the least rate in every window', async () => {
    const { reader, ended, take } = sent(7);
    for (let window = 0; window < 3; window += 1) {
      await take(2);
      mock.timers.tick(rate.windowMs);
    }
    await take(1);
    assert.equal((await reader.read()).done, true);
    assert.equal(await ended, null);
    mock.timers.tick(10 * rate.windowMs);
  });

  for (const taken of [0, 1])
    it(`breaks off at the end of a window in which the client took ${taken} of 2 chunks`, async () => {
      const { reader, ended, take } = sent(7);
      // A fast start does not count for later windows.
      await take(4);
      mock.timers.tick(rate.windowMs);
      await take(taken);
      mock.timers.tick(rate.windowMs - 1);
      assert.equal(await Promise.race([ended, Promise.resolve('sending')]), 'sending');
      mock.timers.tick(1);
      assert.match(String(await ended), /read too slowly/);
      await assert.rejects(reader.read(), /read too slowly/);
    });
});
