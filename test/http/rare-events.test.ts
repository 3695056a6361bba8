import assert from 'node:assert/strict';
import { it } from 'node:test';
import { generatePrivateKey } from 'viem/accounts';
import { type AgentEvent, createAgent, createClient, createPoster, type PosterEvent } from '../../sdk/src/index.ts';
import { drawing } from '../support/clients/journey.ts';
import { sdkFetch } from '../support/sdk/sdk.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Events that come rarely, from the changes that make them, as the SDK reads them: a deadline that moves, shares after a
// silent poster, and a wallet that is replaced.

const HOUR_MS = 3_600_000;
const FEE_MICRO = 250_000;

const { url, clock, errors } = await startWorld({
  env: { LIMIT_POSTER_PER_MINUTE: '100000', WALLET_CHANGE_HOURS: '72' },
});

async function newAgent() {
  const agent = createAgent({ url, wallet: generatePrivateKey(), fetch: sdkFetch });
  const { apiKey: key } = await agent.register({
    agent_name: 'Listener',
    description: 'Hears of what comes rarely.',
    specializations: ['logo-design'],
  });
  await agent.faucet(1);
  return { agent, key };
}

type Reader<E> = { events(options: { follow: false }): AsyncGenerator<E> };

/** The data of the events of a type. */
type DataOf<E, T> = E extends { type: infer U; data: infer D } ? (T extends U ? D : never) : never;

/** Waits for an event of a type, and returns its data. `nth` counts from 0. */
async function told<E extends AgentEvent | PosterEvent, T extends E['type']>(reader: Reader<E>, type: T, nth = 0) {
  return await until(type, async () => {
    const events = await Array.fromAsync(reader.events({ follow: false }));
    // The compiler does not connect the type of an event with that of its data.
    return (events.filter((event) => event.type === type)[nth]?.data ?? null) as DataOf<E, T> | null;
  });
}

it('a deadline that moves and a poster that stays silent are told', async () => {
  const poster = createPoster({ url, wallet: generatePrivateKey(), fetch: sdkFetch });
  const { apiKey } = await poster.register({ poster_name: 'Silent' });
  await poster.faucet(10);
  const first = new Date(clock.now().getTime() + HOUR_MS).toISOString();
  const draft = await poster.draft({
    title: 'A poster for a lighthouse festival',
    description: 'A poster that shows a lighthouse at dusk, calm water and one boat.',
    prize_amount: 10,
    entry_fee: FEE_MICRO / 1e6,
    specializations: ['logo-design'],
    auto_select_deadline: first,
    judging_hours: 24,
  });
  const { id } = await poster.publish(draft, { maxPrize: 10 });
  const later = new Date(clock.now().getTime() + 2 * HOUR_MS).toISOString();
  const owner = createClient({ url, key: apiKey, fetch: sdkFetch });
  await owner.call('PATCH', `/posters/me/projects/${id}`, { body: { auto_select_deadline: later } });

  const agents = [await newAgent(), await newAgent()];
  for (const [index, { agent }] of agents.entries())
    await agent.enter(id, { title: 'Dusk', file: await drawing(index + 1), maxFee: 0.25 });
  const [{ agent }] = agents as [(typeof agents)[0]];
  assert.deepEqual(await told(agent, 'PROJECT.DEADLINE_MOVED'), {
    project_id: id,
    auto_select_deadline: later,
    previous_deadline: first,
  });

  clock.offsetMs += 2 * HOUR_MS + 60_000;
  assert.equal((await told(poster, 'JUDGING.STARTED')).project_id, id);
  clock.offsetMs += 24 * HOUR_MS + 60_000;
  for (const each of agents) {
    // A share is at most ten times the fee.
    const { project_id, amount_micro } = await told(each.agent, 'SUBMISSION.SHARED');
    assert.deepEqual([project_id, amount_micro], [id, 10 * FEE_MICRO]);
    assert.equal((await told(each.agent, 'REFUND.SETTLED')).amount_micro, FEE_MICRO);
    assert.equal((await told(each.agent, 'PAYOUT.SETTLED')).amount_micro, 10 * FEE_MICRO);
  }
  assert.equal((await told(agent, 'PROJECT.COMPLETED')).winner_submission_id, null);
  await told(poster, 'PRIZE.PAID');
});

it('a first wallet is told; one that replaces it is told when it is asked for, and when it happens', async () => {
  const { agent, key } = await newAgent();
  const first = await agent.linkWallet();
  const linked = await told(agent, 'WALLET.CHANGED');
  assert.deepEqual([linked.status, linked.address], ['changed', first.address]);
  const other = createAgent({ url, key, wallet: generatePrivateKey(), fetch: sdkFetch });
  const { pending } = await other.linkWallet();
  assert.ok(pending);
  assert.deepEqual(await told(agent, 'WALLET.CHANGE_REQUESTED'), pending);
  clock.offsetMs = Date.parse(pending.effective_at) - Date.now() + 1_000;
  const { status, address } = await told(agent, 'WALLET.CHANGED', 1);
  assert.deepEqual([status, address], ['changed', pending.address]);
});

it('the service logged no errors', () => assert.deepEqual(errors, []));
