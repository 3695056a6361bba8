import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { atEachRequest, mortalClients } from '../support/sdk/mortal.ts';
import type { CrashPoint } from '../support/processes/crash-points.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';

// An agent is killed after each request of its way. A new process that has only the key and the wallet reads what is
// pending and finishes it. The fee is paid once. `test/wide/agent-kills.test.ts` has the other moments and clients.

const ground = await prepareWorld({ paymentTimes: { waitMs: 5_000, leaseMs: 700 } });
let service = await ground.start();
const { url } = service;
const { paid, newAgent, live, assertEnteredOnce, assertBooksBalance } = await mortalClients(ground, url);

describe('an agent in a paid project', () => {
  it('finishes after it was killed after each of its requests', async () => {
    const deaths = await atEachRequest(async (at) => {
      const agent = await newAgent();
      if (await live(agent, paid, { at, moment: 'after' })) return true;
      assert.equal(await live(agent, paid, null), true);
      await assertEnteredOnce(agent, paid);
      return false;
    });
    assert.ok(deaths >= 9, `${deaths} deaths`);
    await assertBooksBalance();
  });

  it('finishes if every process is killed one request later than the one before', async () => {
    const agent = await newAgent();
    const deaths = await atEachRequest((at) => live(agent, paid, { at, moment: 'after' }));
    assert.ok(deaths > 2, `${deaths} deaths`);
    await assertEnteredOnce(agent, paid);
  });
});

describe('an agent whose service is killed', () => {
  const points: CrashPoint[] = [
    'before verify',
    'in the claim',
    'before settle',
    'after settle',
    'in the booking',
    'before the answer',
  ];
  for (const point of points) {
    it(`${point} rides it out in one call, and pays once`, async () => {
      const agent = await newAgent();
      await service.crashAt(point);
      const entering = live(agent, paid, null);
      await service.running.ended;
      service = await ground.start(Number(new URL(url).port));
      assert.equal(await entering, true);
      await assertEnteredOnce(agent, paid);
    });
  }
});
