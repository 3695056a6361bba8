import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { agentOperations } from '../../../contract/agents.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { withTransaction } from '../../db/transaction.ts';
import { createAgent } from '../accounts/create-agent.ts';
import { linkFirstWallet, lockAgentForEntry, lockAgentOf } from '../accounts/locks.ts';
import { testHouse } from '../../../test/support/worlds/agents-world.ts';

const { db } = await testDatabase();
const house = testHouse(db);
const now = house.at(0);
const newWallet = () => `0x${randomBytes(20).toString('hex')}`;
const missing = '01980000-0000-7000-8000-000000000000';

async function register(wallet_address?: string): Promise<string> {
  const request = {
    agent_name: 'Ada',
    description: 'Draws logos by hand and by number.',
    specializations: ['logo-design'],
    wallet_address,
  };
  return (await createAgent(house.anyone, { body: agentOperations.createAgent.body.parse(request) })).agentId;
}

const link = (agentId: string, payer: string) =>
  withTransaction(db, async (tx) => linkFirstWallet(tx, await lockAgentForEntry(tx, agentId), { agentId, payer, now }));

async function walletOf(agentId: string) {
  const [row] = await db<{ address: string | null; proven: boolean }[]>`
    select wallet_address as address, wallet_proven as proven from agents where id = ${agentId}`;
  return { ...row };
}

describe('linkFirstWallet', () => {
  it('links the payer of the first fee, and no later one', async () => {
    const agentId = await register();
    const [first, second] = [newWallet(), newWallet()];
    assert.deepEqual(await walletOf(agentId), { address: null, proven: false });
    assert.equal(await link(agentId, first), true);
    assert.equal(await link(agentId, first), false);
    assert.equal(await link(agentId, second), false);
    assert.deepEqual(await walletOf(agentId), { address: first, proven: true });
  });

  it('proves a declared wallet by its payment, and keeps it when another wallet pays', async () => {
    const declared = newWallet();
    const agentId = await register(declared);
    assert.equal(await link(agentId, newWallet()), false);
    assert.deepEqual(await walletOf(agentId), { address: declared, proven: false });
    assert.equal(await link(agentId, declared), true);
    assert.deepEqual(await walletOf(agentId), { address: declared, proven: true });
  });

  it('is not held up by another agent that only declared the wallet', async () => {
    const wallet = newWallet();
    const squatter = await register(wallet);
    const owner = await register();
    assert.equal(await link(owner, wallet), true);
    assert.deepEqual(await walletOf(squatter), { address: wallet, proven: false });
    assert.equal(await link(squatter, wallet), false);
  });

  it('leaves a wallet with the agent for which it is proven', async () => {
    const wallet = newWallet();
    const [first, second] = [await register(), await register()];
    assert.equal(await link(first, wallet), true);
    assert.equal(await link(second, wallet), false);
    assert.deepEqual(await walletOf(second), { address: null, proven: false });
  });

  it('gives one wallet to one of many agents that book at once, and fails none of their bookings', async () => {
    const wallet = newWallet();
    const agents = await Promise.all(Array.from({ length: 8 }, () => register()));
    const linked = await Promise.all(agents.map((agentId) => link(agentId, wallet)));
    assert.equal(linked.filter(Boolean).length, 1);
  });

  it('gives one agent one of the wallets that pay for it at once', async () => {
    const agentId = await register();
    const wallets = Array.from({ length: 8 }, newWallet);
    const linked = await Promise.all(wallets.map((wallet) => link(agentId, wallet)));
    assert.deepEqual((await walletOf(agentId)).address, wallets[linked.indexOf(true)]);
    assert.equal(linked.filter(Boolean).length, 1);
  });

  it('goes back with the booking that is undone', async () => {
    const agentId = await register();
    const undone = withTransaction(db, async (tx) => {
      await linkFirstWallet(tx, await lockAgentForEntry(tx, agentId), { agentId, payer: newWallet(), now });
      throw new Error('the booking failed');
    });
    await assert.rejects(undone, /the booking failed/);
    assert.deepEqual(await walletOf(agentId), { address: null, proven: false });
  });
});

describe('lockAgentForEntry', () => {
  it('gives the agent as it is now, and lets the next one wait for the commit', async () => {
    const wallet = newWallet();
    const agentId = await register(wallet);
    const order: string[] = [];
    const [locked, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = withTransaction(db, async (tx) => {
      await lockAgentForEntry(tx, agentId);
      locked.resolve();
      await free.promise;
      await tx`update agents set tier = 'pro' where id = ${agentId}`;
      order.push('first');
    });
    await locked.promise;
    const second = withTransaction(db, async (tx) => {
      // While the row is locked, a key of the agent can be inserted: the foreign key asks for less.
      await tx`insert into agent_keys (id, agent_id, secret_hash, created_at) values ('x', ${agentId}, '\\x00', now())`;
      free.resolve();
      const agent = await lockAgentForEntry(tx, agentId);
      order.push('second');
      return agent;
    });
    const [, agent] = await Promise.all([first, second]);
    assert.deepEqual(order, ['first', 'second']);
    assert.deepEqual({ ...agent }, { tier: 'pro', status: 'active', walletAddress: wallet, walletProven: false });
  });

  it('is AGENT_NOT_FOUND for an agent that is not there', async () => {
    await assert.rejects(
      withTransaction(db, (tx) => lockAgentForEntry(tx, missing)),
      { code: 'AGENT_NOT_FOUND' },
    );
    assert.equal(await withTransaction(db, (tx) => lockAgentOf(tx, missing)), null);
  });
});
