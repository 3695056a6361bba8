import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';

/** Makes a wallet. Loaded on demand, because public pages must stay small. */
export function newWallet(): { key: string; address: string } {
  const key = generatePrivateKey();
  return { key, address: privateKeyToAddress(key) };
}
