import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseSiweMessage } from 'viem/siwe';
import type { Deps } from '../../deps.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { lower, newKey, walletWorld } from '../../../test/support/worlds/wallet-world.ts';

const MINUTE = 60_000;
const { db } = await testDatabase();
const setUp = (given: Partial<Deps> = {}) => walletWorld(db, given);
const invalid = { code: 'WALLET_CHALLENGE_INVALID', status: 400 };

describe('challengeWallet', () => {
  it('returns a message that names the service, the chain, the wallet, the agent, and the expiry', async () => {
    const { register, challenge, at } = setUp();
    const [agent, key] = [await register(), newKey()];
    const { message, address, expiresAt } = await challenge(agent, key.address.toUpperCase().replace('0X', '0x'));
    assert.deepEqual([address, expiresAt], [lower(key), at(10 * MINUTE).toISOString()]);
    const { nonce, statement, ...fields } = parseSiweMessage(message);
    assert.deepEqual(fields, {
      domain: 'concours.test',
      address: key.address,
      uri: 'https://concours.test',
      version: '1',
      chainId: 84_532,
      issuedAt: at(0),
      expirationTime: at(10 * MINUTE),
    });
    assert.match(nonce ?? '', /^[0-9a-f]{32}$/);
    assert.match(statement ?? '', new RegExp(`agent ${agent.agentId} of concours`));
  });

  it('keeps a single-label host and a port in the message', async () => {
    for (const host of ['concours:4020', '127.0.0.1:4020', 'localhost']) {
      const { register, challenge, link } = setUp({ publicUrl: `http://${host}` });
      const [agent, key] = [await register(), newKey()];
      const { message } = await challenge(agent, key.address);
      assert.equal(parseSiweMessage(message).domain, host);
      assert.equal((await link(agent, message, await key.signMessage({ message }))).proven, true);
    }
  });

  it("replaces the agent's earlier challenge, and no other agent's", async () => {
    const { register, challenge, link } = setUp();
    const [agent, other, key] = [await register(), await register(), newKey()];
    const theirs = await challenge(other, key.address);
    const first = await challenge(agent, key.address);
    await challenge(agent, newKey().address);
    await assert.rejects(link(agent, first.message, await key.signMessage(first)), invalid);
    assert.equal((await link(other, theirs.message, await key.signMessage(theirs))).address, lower(key));
  });

  it('keeps one challenge after many concurrent requests, and deletes expired ones', async () => {
    const { register, challenge, advance } = setUp();
    const agents = await Promise.all(Array.from({ length: 5 }, () => register()));
    await Promise.all(agents.map((agent) => challenge(agent, newKey().address)));
    advance(10 * MINUTE);
    const asking = agents.flatMap((agent) => Array.from({ length: 4 }, () => challenge(agent, newKey().address)));
    await Promise.all(asking);
    const [left] = await db`
      select count(*) from wallet_challenges where agent_id = any(${agents.map(({ agentId }) => agentId)})`;
    assert.equal(left?.['count'], 5);
    advance(10 * MINUTE);
    await challenge(agents[0]!, newKey().address);
    const [all] = await db`select count(*) from wallet_challenges`;
    assert.equal(all?.['count'], 1);
  });

  it('throws AGENT_NOT_FOUND for a deleted agent', async () => {
    const { register, challenge } = setUp();
    const agent = await register();
    await db`delete from agent_keys where agent_id = ${agent.agentId}`;
    await db`delete from agents where id = ${agent.agentId}`;
    await assert.rejects(challenge(agent, newKey().address), { code: 'AGENT_NOT_FOUND' });
  });
});
