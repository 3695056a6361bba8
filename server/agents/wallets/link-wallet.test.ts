import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { agentOperations } from '../../../contract/agents/agents.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { toldEvents } from '../../../test/support/told-events.ts';
import { withTransaction } from '../../db/transaction.ts';
import { linkFirstWallet, lockExistingAgent } from '../accounts/locks.ts';
import { agentsWorld, lower, newKey } from '../../../test/support/worlds/agents-world.ts';
import type { Deps } from '../../deps.ts';
import { linkWallet } from './link-wallet.ts';
import { walletWorld } from '../../../test/support/worlds/wallet-world.ts';

const { db } = await testDatabase();
const world = agentsWorld(db);
const now = world.at(0);
const newWallet = () => `0x${randomBytes(20).toString('hex')}`;

const registerAda = async (change: object = {}) => (await world.register(change)).agentId;

const linkFirst = (agentId: string, payer: string) =>
  withTransaction(db, async (tx) =>
    linkFirstWallet(world.deps, tx, await lockExistingAgent(tx, agentId), { payer, byOwner: true, now }),
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

const MINUTE = 60_000;
const setUp = (given: Partial<Deps> = {}) => walletWorld(db, given);
const invalid = { code: 'WALLET_CHALLENGE_INVALID', status: 400 };

describe('linkFirstWallet', () => {
  it('links the payer of the first fee, and no later payer; a payment proves nothing', async () => {
    const agentId = await registerAda();
    const [first, second] = [newWallet(), newWallet()];
    assert.deepEqual(await walletOf(agentId), { address: null, linked: false, proven: false });
    assert.equal(await linkFirst(agentId, first), true);
    assert.equal(await linkFirst(agentId, first), false);
    assert.equal(await linkFirst(agentId, second), false);
    assert.deepEqual(await walletOf(agentId), { address: first, linked: true, proven: false });
    assert.deepEqual(await toldOf(agentId), [`changed ${first}`]);
  });

  it('links a declared wallet by its payment, and keeps it if another wallet pays', async () => {
    const declared = newWallet();
    const agentId = await registerAda({ wallet_address: declared });
    assert.equal(await linkFirst(agentId, newWallet()), false);
    assert.deepEqual(await walletOf(agentId), { address: declared, linked: false, proven: false });
    assert.deepEqual(await toldOf(agentId), []);
    assert.equal(await linkFirst(agentId, declared), true);
    assert.deepEqual(await walletOf(agentId), { address: declared, linked: true, proven: false });
    assert.deepEqual(await toldOf(agentId), [`changed ${declared}`]);
  });

  it('takes a wallet from an agent that only declared it, and from no agent that has it linked', async () => {
    const wallet = newWallet();
    const [squatter, owner, late] = [
      await registerAda({ wallet_address: wallet }),
      await registerAda(),
      await registerAda(),
    ];
    assert.equal(await linkFirst(owner, wallet), true);
    for (const other of [squatter, late]) assert.equal(await linkFirst(other, wallet), false);
    assert.deepEqual(await walletOf(squatter), { address: wallet, linked: false, proven: false });
    assert.deepEqual(await walletOf(late), { address: null, linked: false, proven: false });
  });

  it('links one of several wallets that pay for one agent at once', async () => {
    const agentId = await registerAda();
    const wallets = Array.from({ length: 8 }, newWallet);
    const linked = await Promise.all(wallets.map((wallet) => linkFirst(agentId, wallet)));
    assert.deepEqual((await walletOf(agentId)).address, wallets[linked.indexOf(true)]);
    assert.equal(linked.filter(Boolean).length, 1);
  });
});

describe('linkWallet', () => {
  it('links the wallet that signed, returns it, writes an audit entry, and accepts the challenge once', async () => {
    const { register, challenge, link } = setUp();
    const [agent, key] = [await register({ wallet_address: newKey().address }), newKey()];
    await db`insert into agent_figures (agent_id, scope, pending_micro) values (${agent.agentId}, 'overall', 2500000)`;
    const { message } = await challenge(agent, key.address);
    const signature = await key.signMessage({ message });
    assert.deepEqual(await link(agent, message, signature), {
      address: lower(key),
      linked: true,
      proven: true,
      pending: null,
      balance: 7.5,
      balance_stale: false,
      currency: 'USDC',
      pendingEarnings: 2.5,
      minBalance: 1,
    });
    assert.deepEqual(await walletOf(agent.agentId), { address: lower(key), linked: true, proven: true });
    const [line] = await db`select actor, details from audit_trail where subject = ${`agent:${agent.agentId}`}`;
    assert.equal(line?.['actor'], `agent:${agent.agentId}`);
    assert.equal(line?.['details'].wallet, lower(key));
    await assert.rejects(link(agent, message, signature), invalid);
  });

  it('needs the signature of the wallet, by the agent that asked for the challenge', async () => {
    const { register, challenge, link } = setUp();
    const [agent, thief, key] = [await register(), await register(), newKey()];
    const { message } = await challenge(agent, key.address);
    const signature = await key.signMessage({ message });
    await assert.rejects(link(thief, message, signature), invalid);
    await assert.rejects(link(agent, message, await newKey().signMessage({ message })), invalid);
    await link(agent, message, signature);
  });

  it('lets a wallet wait that replaces one which only paid a fee, unless that one signs, too', async () => {
    const config = { ...setUp().deps.config, walletChangeMs: 60 * MINUTE };
    const { deps, register, challenge, link, as, at } = setUp({ config });
    const [agent, payer, thief] = [await register(), newKey(), newKey()];
    await withTransaction(db, async (tx) => {
      const locked = await lockExistingAgent(tx, agent.agentId);
      await linkFirstWallet(deps, tx, locked, { payer: lower(payer), byOwner: true, now: at(0) });
    });
    const stolen = await challenge(agent, thief.address);
    const waiting = await link(agent, stolen.message, await thief.signMessage(stolen));
    assert.deepEqual([waiting.address, waiting.pending?.address], [lower(payer), lower(thief)]);
    const { message } = await challenge(agent, thief.address);
    const [signature, current_signature] = [await thief.signMessage({ message }), await payer.signMessage({ message })];
    const body = agentOperations.linkWallet.body.parse({ message, signature, current_signature });
    await linkWallet(as(agent.agentId, agent.apiKey), { body });
    assert.equal((await walletOf(agent.agentId)).address, lower(thief));
  });

  it('rejects a message that differs in one character, without a call to the chain', async () => {
    const { register, challenge, link, verified } = setUp();
    const [agent, key] = [await register(), newKey()];
    const { message } = await challenge(agent, key.address);
    const altered = Array.from(message, (letter, at) => {
      const other = letter === '0' ? '1' : '0';
      return `${message.slice(0, at)}${other}${message.slice(at + 1)}`;
    });
    const more = [`${message} `, ` ${message}`, message.replaceAll('\n', '\r\n'), message.toUpperCase()];
    const signature = await key.signMessage({ message });
    for (const text of [...altered, ...more]) {
      const refused = link(agent, text, signature);
      await assert.rejects(refused, ({ code }: { code: string }) =>
        ['WALLET_CHALLENGE_INVALID', 'VALIDATION_ERROR'].includes(code),
      );
    }
    assert.deepEqual(verified, []);
    assert.equal((await walletOf(agent.agentId)).proven, false);
  });

  it('names both addresses when the challenge is for another PUBLIC_URL', async () => {
    const before = setUp();
    const after = setUp({ publicUrl: 'https://moved.test' });
    const [agent, key] = [await before.register(), newKey()];
    const { message } = await before.challenge(agent, key.address);
    await assert.rejects(after.link(agent, message, await key.signMessage({ message })), {
      ...invalid,
      message: /is for https:\/\/concours\.test, but this service runs at https:\/\/moved\.test\./,
    });
  });

  it('keeps a proven wallet with its agent; a declared wallet blocks no other agent', async () => {
    const { register, challenge, link } = setUp();
    const key = newKey();
    const [squatter, owner, late] = [
      await register({ wallet_address: key.address }),
      await register(),
      await register(),
    ];
    const first = await challenge(owner, key.address);
    await link(owner, first.message, await key.signMessage(first));
    for (const agent of [squatter, late]) {
      const { message } = await challenge(agent, key.address);
      const signature = await key.signMessage({ message });
      await assert.rejects(link(agent, message, signature), { code: 'WALLET_ALREADY_LINKED', status: 409 });
    }
    assert.equal((await walletOf(squatter.agentId)).proven, false);
  });
});

it("challengeWallet replaces the agent's earlier challenge, and no other agent's", async () => {
  const { register, challenge, link } = setUp();
  const [agent, other, key] = [await register(), await register(), newKey()];
  const theirs = await challenge(other, key.address);
  const first = await challenge(agent, key.address);
  await challenge(agent, newKey().address);
  await assert.rejects(link(agent, first.message, await key.signMessage(first)), invalid);
  assert.equal((await link(other, theirs.message, await key.signMessage(theirs))).address, lower(key));
});
