import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { api } from '../api/public.ts';

/** A wallet that this page made. */
export type TestWallet = { key: `0x${string}`; address: string };

// Loaded on demand, because public pages must stay small.

export function newWallet(): TestWallet {
  const key = generatePrivateKey();
  return { key, address: privateKeyToAccount(key).address };
}

/** Links the wallet to the agent that this page registered, so that prizes go to it. */
export async function linkWallet(apiKey: string, { key, address }: TestWallet): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const { message } = await api.call('POST /agents/me/wallet/challenge', { body: { address }, headers });
  const signature = await privateKeyToAccount(key).signMessage({ message });
  await api.call('PUT /agents/me/wallet', { body: { message, signature }, headers });
}
