import { agentOperations } from '../../../contract/agents/agents.ts';
import type { Deps } from '../../../server/deps.ts';
import type { SignedMessage } from '../../../server/chain/types.ts';
import { agentsWorld, verifyingChain } from './agents-world.ts';
import { challengeWallet, linkWallet } from '../../../server/agents/wallets/link-wallet.ts';
import { OtherStatus } from '../../../server/serve.ts';
import type { Db } from '../../../server/db/database.ts';

export type Agent = { agentId: string; apiKey: string };

/** Creates agents with a chain that verifies only key signatures. */
export function walletWorld(db: Db, given: Partial<Deps> = {}) {
  const verified: SignedMessage[] = [];
  const chain = verifyingChain((signed) => void verified.push(signed));
  const balances = { balance: async () => ({ balanceMicro: 7_500_000, stale: false }), drop: () => {} };
  const world = agentsWorld(db, { chain, balances, ...given });
  return {
    ...world,
    verified,
    async challenge({ agentId, apiKey }: Agent, address: string) {
      const body = agentOperations.challengeWallet.body.parse({ address });
      return agentOperations.challengeWallet.output.parse(await challengeWallet(world.as(agentId, apiKey), { body }));
    },
    async link({ agentId, apiKey }: Agent, message: string, signature: string) {
      const body = agentOperations.linkWallet.body.parse({ message, signature });
      const result = await linkWallet(world.as(agentId, apiKey), { body });
      return agentOperations.linkWallet.output.parse(result instanceof OtherStatus ? result.data : result).wallet;
    },
  };
}
