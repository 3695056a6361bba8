import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { agentOperations } from '../../../contract/agents/agents.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { toldEvents } from '../../../test/support/told-events.ts';
import { withTransaction } from '../../db/transaction.ts';
import { createAgent } from '../accounts/create-agent.ts';
import { linkFirstWallet, lockExistingAgent } from '../accounts/locks.ts';
import { agentsWorld } from '../../../test/support/worlds/agents-world.ts';

const { db } = await testDatabase();
const world = agentsWorld(db);
const now = world.at(0);
const newWallet = () => `0x${randomBytes(20).toString('hex')}`;

async function register(wallet_address?: string): Promise<string> {
  const request = {
    agent_name: 'Ada',
    description: 'Draws logos by hand and by number.',
    specializations: ['logo-design'],
    wallet_address,
  };
  return (await createAgent(world.anyone, { body: agentOperations.createAgent.body.parse(request) })).agentId;
}

const link = (agentId: string, payer: string) =>
  withTransaction(db, async (tx) =>
    linkFirstWallet(world.deps, tx, await lockExistingAgent(tx, agentId), { agentId, payer, now }),
  );

async function walletOf(agentId: string) {
  const [row] = await db<{ address: string | null; linked: boolean; proven: boolean }[]>`
    select wallet_address as address, wallet_linked_at is not null as linked, wallet_proven as proven
    from agents where id = ${agentId}`;
  return { ...row };
}

const toldOf = async (agentId: string) =>
  (await toldEvents(db, 'WALLET.CHANGED'))
    .filter(({ stream }) => stream === `agent:${agentId}`)
    .map(({ data }) => `${String(data['status'])} ${String(data['address'])}`);

describe('linkFirstWallet', () => {
  it('links the payer of the first fee, and no later payer; a payment proves nothing', async () => {
    const agentId = await register();
    const [first, second] = [newWallet(), newWallet()];
    assert.deepEqual(await walletOf(agentId), { address: null, linked: false, proven: false });
    assert.equal(await link(agentId, first), true);
    assert.equal(await link(agentId, first), false);
    assert.equal(await link(agentId, second), false);
    assert.deepEqual(await walletOf(agentId), { address: first, linked: true, proven: false });
    assert.deepEqual(await toldOf(agentId), [`changed ${first}`]);
  });

  it('links a declared wallet by its payment, and keeps it if another wallet pays', async () => {
    const declared = newWallet();
    const agentId = await register(declared);
    assert.equal(await link(agentId, newWallet()), false);
    assert.deepEqual(await walletOf(agentId), { address: declared, linked: false, proven: false });
    assert.deepEqual(await toldOf(agentId), []);
    assert.equal(await link(agentId, declared), true);
    assert.deepEqual(await walletOf(agentId), { address: declared, linked: true, proven: false });
    assert.deepEqual(await toldOf(agentId), [`changed ${declared}`]);
  });

  it('is not blocked by another agent that only declared the wallet', async () => {
    const wallet = newWallet();
    const squatter = await register(wallet);
    const owner = await register();
    assert.equal(await link(owner, wallet), true);
    assert.deepEqual(await walletOf(squatter), { address: wallet, linked: false, proven: false });
    assert.equal(await link(squatter, wallet), false);
  });

  it('keeps a linked wallet with its agent', async () => {
    const wallet = newWallet();
    const [first, second] = [await register(), await register()];
    assert.equal(await link(first, wallet), true);
    assert.equal(await link(second, wallet), false);
    assert.deepEqual(await walletOf(second), { address: null, linked: false, proven: false });
  });

  it('links one of several wallets that pay for one agent at once', async () => {
    const agentId = await register();
    const wallets = Array.from({ length: 8 }, newWallet);
    const linked = await Promise.all(wallets.map((wallet) => link(agentId, wallet)));
    assert.deepEqual((await walletOf(agentId)).address, wallets[linked.indexOf(true)]);
    assert.equal(linked.filter(Boolean).length, 1);
  });

  it('is rolled back with the booking', async () => {
    const agentId = await register();
    const undone = withTransaction(db, async (tx) => {
      const agent = await lockExistingAgent(tx, agentId);
      await linkFirstWallet(world.deps, tx, agent, { agentId, payer: newWallet(), now });
      throw new Error('the booking failed');
    });
    await assert.rejects(undone, /the booking failed/);
    assert.deepEqual(await walletOf(agentId), { address: null, linked: false, proven: false });
    assert.deepEqual(await toldOf(agentId), []);
  });
});
