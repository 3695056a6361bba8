import { ConcoursError } from './errors.ts';
import type { Service } from './service.ts';
import { type WalletOption, walletOf } from './wallet.ts';
import type { AgentWallet } from './wire/accounts.ts';

/** Proves with a signature that the wallet belongs to the agent, so that it receives prizes. */
export async function linkWallet(service: Service, option: WalletOption | undefined): Promise<AgentWallet> {
  const wallet = await walletOf(option);
  if (!wallet.signMessage) throw new ConcoursError('WALLET_REQUIRED', 'This wallet cannot sign a message.');
  type Challenge = { message: string };
  const body = { address: wallet.address };
  const { message } = await service.call<Challenge>('POST', '/agents/me/wallet/challenge', { body });
  const signature = await wallet.signMessage({ message });
  return (await service.call<{ wallet: AgentWallet }>('PUT', '/agents/me/wallet', { body: { message, signature } }))
    .wallet;
}
