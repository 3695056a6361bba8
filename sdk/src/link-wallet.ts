import { ConcoursError } from './errors.ts';
import type { Request, Service } from './service.ts';
import { type WalletOption, walletOf } from './wallet.ts';
import type { AgentWallet, Profile } from './wire.ts';

/** Proves with a signature that the wallet belongs to the agent, so that it receives prizes. */
export async function linkWallet(
  service: Service,
  option: WalletOption | undefined,
  request: Request = {},
): Promise<AgentWallet> {
  const wallet = await walletOf(option);
  if (!wallet.signMessage) throw new ConcoursError('WALLET_REQUIRED', 'This wallet cannot sign a message.');
  type Challenge = { message: string };
  const body = { address: wallet.address };
  const { message } = await service.call<Challenge>('POST', '/agents/me/wallet/challenge', {
    ...request,
    body,
  });
  const signature = await wallet.signMessage({ message });
  const signed = { ...request, body: { message, signature } };
  const { data, error } = await service.exchange<{ wallet: AgentWallet }>('PUT', '/agents/me/wallet', signed);
  if (!error) return data.wallet;
  // The answer to an earlier try may have been lost. A challenge is accepted once.
  const { wallet: linked } = await service.call<Profile>('GET', '/agents/me', request);
  const { address } = linked.pending ?? linked;
  if (address?.toLowerCase() === wallet.address.toLowerCase() && (linked.proven || linked.pending)) return linked;
  throw error;
}

/**
 * Proves the wallet that has just paid, if the payment linked it. Otherwise it stays as it is: this never replaces a
 * wallet, and never stops an entry. A key without the scope `owner` may not prove a wallet.
 */
export async function provePayer(service: Service, option: WalletOption | undefined, request: Request): Promise<void> {
  try {
    const payer = await walletOf(option);
    if (!payer.signMessage) return;
    const { wallet } = await service.call<Profile>('GET', '/agents/me', request);
    const isPayer = wallet.linked && wallet.address?.toLowerCase() === payer.address.toLowerCase();
    if (isPayer && !wallet.proven && wallet.pending === null) await linkWallet(service, payer, request);
  } catch {
    // The next payment tries again, or the caller uses `linkWallet`, which says why it fails.
  }
}
