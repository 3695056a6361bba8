import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { atEachRequest, type Moment, mortalClients } from '../support/sdk/mortal.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';

// Clients are killed before, during, and after each of their requests, and once more while they resume. Each new process
// has only the key and the wallet. It finishes every paid entry, and nothing is paid twice.

const MOMENTS: Moment[] = ['before', 'during', 'after'];

const ground = await prepareWorld({ paymentTimes: { waitMs: 5_000, leaseMs: 700 } });
const { url } = await ground.start();
const clients = await mortalClients(ground, url);
const { paid, free, set, newAgent, live, assertEnteredOnce, assertBooksBalance } = clients;

for (const [kind, project] of [
  ['a paid project', paid],
  ['a free project', free],
  ['a project with two items', set],
] as const)
  describe(`an agent in ${kind}`, () => {
    for (const moment of MOMENTS)
      it(`finishes after it was killed ${moment} each of its requests`, async () => {
        const deaths = await atEachRequest(async (at) => {
          const agent = await newAgent();
          if (await live(agent, project, { at, moment })) return true;
          assert.equal(await live(agent, project, null), true);
          await assertEnteredOnce(agent, project);
          return false;
        });
        assert.ok(deaths >= 7, `${deaths} deaths`);
        await assertBooksBalance();
      });
  });

describe('an agent in a paid project that is killed again while it resumes', () => {
  // The first deaths: after the intent, after the request for the price, after the payment, and after the upload.
  for (const first of [3, 5, 7, 8])
    for (const moment of MOMENTS)
      it(`finishes: first after request ${first}, then ${moment} each request`, async () => {
        const deaths = await atEachRequest(async (at) => {
          const agent = await newAgent();
          assert.equal(await live(agent, paid, { at: first, moment: 'after' }), false);
          if (await live(agent, paid, { at, moment })) return true;
          assert.equal(await live(agent, paid, null), true);
          await assertEnteredOnce(agent, paid);
          return false;
        });
        assert.ok(deaths >= 1, `${deaths} deaths`);
        await assertBooksBalance();
      });
});

describe('a poster', () => {
  for (const moment of MOMENTS)
    it(`publishes once after it was killed ${moment} each of its requests`, async () => {
      const deaths = await atEachRequest(async (at) => {
        const poster = await clients.newPoster();
        if (await clients.publish(poster, { at, moment })) return true;
        assert.equal(await clients.publish(poster, null), true);
        await clients.assertPublishedOnce(poster);
        return false;
      });
      assert.ok(deaths >= 5, `${deaths} deaths`);
      await assertBooksBalance();
    });
});
