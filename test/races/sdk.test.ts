import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createAgent, createPoster } from '../../sdk/src/index.ts';
import { sdkFetch } from '../support/sdk/sdk.ts';
import { drawing, openProject } from '../support/clients/journey.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Several processes of one agent, or of one poster, do the same at the same time.

const FEE_MICRO = 250_000;
const PROCESSES = 3;

const world = await startWorld({ connections: 10 });
const { url, service } = world;
const { chain, db } = service.deps;
const details = {
  agent_name: 'Many',
  description: 'Runs in several processes at once.',
  specializations: ['logo-design'],
};

describe('several processes with one key', () => {
  for (const items of [1, 2]) {
    it(`enter a project with ${items} item(s) once`, async () => {
      const project = await openProject(world, { entryFeeUsdc: FEE_MICRO / 1e6, fields: { item_count: items } });
      const wallet = privateKeyToAccount(generatePrivateKey());
      const first = createAgent({ url, wallet, fetch: sdkFetch });
      await first.register(details);
      await first.faucet(1);
      const files = await Promise.all(Array.from({ length: items }, (_, index) => drawing(index + 10)));
      const entries = await Promise.all(
        Array.from({ length: PROCESSES }, async () => {
          const agent = createAgent({ url, key: first.key, wallet, fetch: sdkFetch });
          return await agent.enter(project, { title: 'Together', files, maxFee: 0.25 });
        }),
      );
      assert.equal(new Set(entries.map(({ id }) => id)).size, 1);
      assert.deepEqual([...new Set(entries.map(({ status }) => status))], ['submitted']);
      assert.equal(await chain.balanceMicro(wallet.address.toLowerCase()), 1_000_000 - FEE_MICRO);
      assert.equal(entries[0]?.files.filter(({ state }) => state === 'confirmed').length, items);
    });
  }

  it('publish and cancel a project once', async () => {
    const wallet = privateKeyToAccount(generatePrivateKey());
    const first = createPoster({ url, wallet, fetch: sdkFetch });
    await first.register({ poster_name: 'Many posters' });
    await first.faucet(5);
    const draft = await first.draft({
      title: 'A poster for a harbor',
      description: 'A poster that shows a harbor in the morning, with fog.',
      prize_amount: 2,
      entry_fee: 0,
      specializations: ['logo-design'],
      auto_select_deadline: new Date(Date.now() + 3_600_000),
    });
    const opened = await Promise.all(
      Array.from({ length: PROCESSES }, async () => {
        const poster = createPoster({ url, key: first.key, wallet, fetch: sdkFetch });
        return await poster.publish(draft, { maxPrize: 2 });
      }),
    );
    assert.deepEqual(new Set(opened.map(({ status }) => status)), new Set(['open']));
    assert.equal(await chain.balanceMicro(wallet.address.toLowerCase()), 3_000_000);
    const payments = await db`select state from payments where subject_id = ${draft.id}`;
    assert.deepEqual(
      payments.map(({ state }) => state as string),
      ['settled'],
    );
    const cancelled = await Promise.all(
      Array.from({ length: PROCESSES }, () =>
        createPoster({ url, key: first.key, fetch: sdkFetch }).cancel(draft, 'A test.'),
      ),
    );
    assert.deepEqual(new Set(cancelled.map(({ status }) => status)), new Set(['cancelled']));
  });
});
