import { type Hex, hexToString, isHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { Provider } from './wallets.ts';

// For development starts only: any script with access to this browser's storage can read the key.
const STORED = 'concours-test-wallet';

function storedKey(): Hex {
  const stored = localStorage.getItem(STORED);
  if (isHex(stored) && stored.length === 66) return stored;
  const made = generatePrivateKey();
  localStorage.setItem(STORED, made);
  return made;
}

/** A wallet that signs every request. Its key is in the browser's storage. */
export function createTestProvider(chainId: number): Provider {
  const account = privateKeyToAccount(storedKey());
  return {
    async request({ method, params = [] }) {
      switch (method) {
        case 'eth_accounts':
        case 'eth_requestAccounts':
          return [account.address];
        case 'eth_chainId':
          return `0x${chainId.toString(16)}`;
        case 'personal_sign':
          return await account.signMessage({ message: hexToString(params[0] as Hex) });
        case 'eth_signTypedData_v4':
          return await account.signTypedData(
            JSON.parse(params[1] as string) as Parameters<typeof account.signTypedData>[0],
          );
        default:
          throw new Error(`the test wallet knows no ${method}`);
      }
    },
  };
}
