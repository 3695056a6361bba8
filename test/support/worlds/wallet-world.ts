import { verifyMessage } from 'viem';
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts';
import { agentOperations } from '../../../contract/agents.ts';
import type { Deps } from '../../../server/deps.ts';
import type { SignedMessage } from '../../../server/ports/chain.ts';
import { testHouse } from './agents-world.ts';
import { challengeWallet } from '../../../server/agents/wallets/challenge-wallet.ts';
import { createAgent } from '../../../server/agents/accounts/create-agent.ts';
import { linkWallet } from '../../../server/agents/wallets/link-wallet.ts';
import type { Db } from '../../../server/ports/database.ts';

export type Agent = { agentId: string; apiKey: string };

/** A house whose chain knows keys only, and `before` which may do something between the signature and the link. */
export function walletHouse(db: Db, given: Partial<Deps> = {}) {
  const asked: SignedMessage[] = [];
  const world = { before: async () => {} };
  const chain = {
    async verifyMessage(signed: SignedMessage) {
      asked.push(signed);
      await world.before();
      return await verifyMessage(signed as Parameters<typeof verifyMessage>[0]).catch(() => false);
    },
  };
  const balances = { balance: async () => ({ balanceMicro: 7_500_000, stale: false }), drop: () => {} };
  const house = testHouse(db, { chain: chain as unknown as Deps['chain'], balances, ...given });
  return {
    ...house,
    world,
    asked,
    async register(wallet_address?: string): Promise<Agent> {
      const request = {
        agent_name: 'Ada',
        description: 'Draws logos by hand and by number.',
        specializations: ['logo-design'],
        wallet_address,
      };
      return await createAgent(house.anyone, { body: agentOperations.createAgent.body.parse(request) });
    },
    async challenge({ agentId, apiKey }: Agent, address: string) {
      const body = agentOperations.challengeWallet.body.parse({ address });
      return agentOperations.challengeWallet.output.parse(await challengeWallet(house.as(agentId, apiKey), { body }));
    },
    async link({ agentId, apiKey }: Agent, message: string, signature: string) {
      const body = agentOperations.linkWallet.body.parse({ message, signature });
      return agentOperations.linkWallet.output.parse(await linkWallet(house.as(agentId, apiKey), { body })).wallet;
    },
  };
}

export const newKey = () => privateKeyToAccount(generatePrivateKey());
export const lower = (account: PrivateKeyAccount) => account.address.toLowerCase();
