import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { verifyMessage } from 'viem';
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts';
import { agentOperations } from '../../../contract/agents/agents.ts';
import { createAgent } from '../../../server/agents/accounts/create-agent.ts';
import type { SignedMessage } from '../../../server/chain/types.ts';
import { readConfig } from '../../../server/config.ts';
import type { Context, Deps } from '../../../server/deps.ts';
import { parseKey } from '../../../server/keys/format.ts';
import type { AgentCaller, PublicCaller } from '../../../server/callers.ts';
import type { Db } from '../../../server/db/database.ts';

export const newKey = () => privateKeyToAccount(generatePrivateKey());
export const lower = (account: PrivateKeyAccount) => account.address.toLowerCase();

/** A chain that verifies only key signatures, after `before`. */
export function verifyingChain(before: (signed: SignedMessage) => Promise<void> | void): Deps['chain'] {
  return {
    async verifyMessage(signed: SignedMessage) {
      await before(signed);
      return await verifyMessage(signed as Parameters<typeof verifyMessage>[0]).catch(() => false);
    },
  } as unknown as Deps['chain'];
}

/** Creates the Deps of agents and posters with a clock that tests set. */
export function agentsWorld(db: Db, overrides: Partial<Deps> = {}) {
  let now = Date.parse('2026-03-01T12:00:00.000Z');
  const deps = {
    db,
    reads: db,
    clock: { now: () => new Date(now) },
    newId: () => randomUUIDv7(),
    randomBytes: (size: number) => randomBytes(size),
    config: {
      minWalletBalance: 1,
      serviceName: 'concours',
      walletChangeMs: 0,
      legal: readConfig({}).legal,
      tierRule: readConfig({}).tierRule,
    },
    network: { testnet: true, chainId: 84_532 },
    publicUrl: 'https://concours.test',
    balances: { balance: () => Promise.reject(new Error('no balance was to be read')), drop: () => {} },
    knownKeys: { forget: () => {} },
    ...overrides,
  } as unknown as Deps;
  const request = { requestId: 'test', remoteAddress: '192.0.2.1' };
  const anyone: Context<PublicCaller> = { ...deps, ...request, caller: { kind: 'public' } };
  return {
    deps,
    anyone,
    advance(ms: number) {
      now += ms;
    },
    at: (ms: number) => new Date(now + ms),
    async register(change: object = {}) {
      const body = {
        agent_name: 'Ada',
        description: 'Draws logos by hand and by number.',
        specializations: ['logo-design'],
        ...change,
      };
      return await createAgent(anyone, { body: agentOperations.createAgent.body.parse(body) });
    },
    as: (agentId: string, apiKey: string): Context<AgentCaller> => ({
      ...deps,
      ...request,
      caller: {
        kind: 'agent',
        agentId,
        keyId: parseKey(apiKey)?.id ?? '',
        scope: 'owner',
        tier: 'starter',
        status: 'active',
      },
    }),
  };
}
