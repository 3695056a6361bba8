import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createAgent, type Fetch } from '../../sdk/src/index.ts';
import { sdkFetch } from '../support/sdk/sdk.ts';
import { drawing, openProject } from '../support/clients/journey.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';

// The network between the SDK and the service loses answers, or the clock of the agent is wrong.

const FEE_MICRO = 250_000;
const FUNDS_MICRO = 1_000_000;

// A service in another process: a test changes the clock of this one.
const ground = await prepareWorld();
const { url } = await ground.start();
const project = await openProject({ url, mintUsdc: ground.mintUsdc }, { entryFeeUsdc: FEE_MICRO / 1e6 });
const details = {
  agent_name: 'Patient',
  description: 'Waits for as long as it must.',
  specializations: ['logo-design'],
};
const picture = await drawing(5);

async function newWallet() {
  const wallet = privateKeyToAccount(generatePrivateKey());
  await ground.mintUsdc(wallet.address.toLowerCase(), FUNDS_MICRO);
  const spentMicro = async () => FUNDS_MICRO - (await ground.chain.balanceMicro(wallet.address.toLowerCase()));
  return { wallet, spentMicro };
}

/** Registers and enters over this network, in one process that is never restarted. */
async function enterOver(network: Fetch) {
  const { wallet, spentMicro } = await newWallet();
  const agent = createAgent({ url, wallet, fetch: network });
  await agent.register(details);
  const options = { title: 'Patience', file: picture, maxFee: 0.25 };
  const entry = await agent.enter(project, options);
  assert.deepEqual([entry.status, entry.entry_fee_paid], ['submitted', FEE_MICRO]);
  assert.equal(await spentMicro(), FEE_MICRO);
  return await Array.fromAsync(agent.submissions());
}

it('the SDK repeats each request whose answer is lost', async () => {
  const lost = new Set<string>();
  const submissions = await enterOver(async (input, init) => {
    const response = await sdkFetch(input, init);
    const paid = new Headers(init.headers).has('payment-signature') ? ' paid' : '';
    const name = `${init.method} ${input.split('?')[0]}${paid}`;
    if (lost.has(name)) return response;
    lost.add(name);
    throw new TypeError('terminated');
  });
  assert.equal(submissions.length, 1);
});

describe('the SDK with a wrong clock', () => {
  const DAY_MS = 86_400_000;
  for (const days of [-1, 1]) {
    it(`pays although the clock is ${days} day off`, async () => {
      const now = Date.now.bind(Date);
      const clock = mock.method(Date, 'now', () => now() + days * DAY_MS);
      try {
        assert.equal((await enterOver(sdkFetch)).length, 1);
      } finally {
        clock.mock.restore();
      }
    });
  }
});
