import { createStore } from '../api/public.ts';
import { InputError } from '../components/public.ts';
import { walletText } from '../messages/public.ts';

/** The part of EIP-1193 that the console uses. */
export type Provider = { request(call: { method: string; params?: unknown[] }): Promise<unknown> };

export type Wallet = {
  id: string;
  name: string;
  /** A `data:` URL; other URLs are not loaded. */
  icon: string | null;
  provider: Provider;
  /** The test wallet of a development start. */
  test?: true;
};

type Announced = { info: { uuid: string; name: string; icon: string; rdns: string }; provider: Provider };

const known = createStore<readonly Wallet[]>([]);

// EIP-6963: each wallet announces itself on request, and again when it loads late.
window.addEventListener('eip6963:announceProvider', (event) => {
  const { detail } = event as CustomEvent<Announced | undefined>;
  if (!detail?.provider || !detail.info?.uuid) return;
  const { info, provider } = detail;
  if (known.get().some(({ id }) => id === info.uuid)) return;
  const icon = info.icon.startsWith('data:image/') ? info.icon : null;
  known.set([...known.get(), { id: info.uuid, name: info.name, icon, provider }]);
});
window.dispatchEvent(new Event('eip6963:requestProvider'));

/** Returns the wallets that have announced themselves in this browser. */
export const useWallets = known.use;

/** The wallet did not complete a request. `refused` is true if the user rejected it. */
export class WalletError extends InputError {
  readonly refused: boolean;

  constructor(cause: unknown) {
    const refused = codeOf(cause) === USER_REJECTED;
    super(refused ? walletText.refused : walletText.failed, { cause });
    this.refused = refused;
  }
}

const USER_REJECTED = 4001;
const CHAIN_UNKNOWN = 4902;

function codeOf(cause: unknown): number | null {
  if (typeof cause !== 'object' || cause === null || !('code' in cause)) return null;
  return typeof cause.code === 'number' ? cause.code : null;
}

async function ask<T>(wallet: Wallet, method: string, params?: unknown[]): Promise<T> {
  try {
    return (await wallet.provider.request({ method, ...(params ? { params } : {}) })) as T;
  } catch (error) {
    throw new WalletError(error);
  }
}

/** Requests the wallet's account address; the wallet asks the user. @throws WalletError */
export async function connect(wallet: Wallet): Promise<string> {
  const [address = ''] = await connectAll(wallet);
  return address;
}

/** Like `connect`, with every account that the user allows, the chosen one first. @throws WalletError */
export async function connectAll(wallet: Wallet): Promise<string[]> {
  const addresses = await ask<string[]>(wallet, 'eth_requestAccounts');
  if (!addresses[0]) throw new WalletError(null);
  return addresses.map((address) => address.toLowerCase());
}

export async function signMessage(wallet: Wallet, address: string, message: string): Promise<string> {
  const bytes = new TextEncoder().encode(message);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return await ask<string>(wallet, 'personal_sign', [`0x${hex}`, address]);
}

export type TypedData = {
  domain: Record<string, unknown>;
  types: Record<string, unknown>;
  primaryType: string;
  message: Record<string, unknown>;
};

const DOMAIN_FIELDS = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
];

/** Signs EIP-712 data. Wallets expect JSON (integers as strings) and an explicit domain type. @throws WalletError */
export async function signTypedData(wallet: Wallet, address: string, data: TypedData): Promise<string> {
  const types = { EIP712Domain: DOMAIN_FIELDS.filter(({ name }) => name in data.domain), ...data.types };
  const text = JSON.stringify({ ...data, types }, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  return await ask<string>(wallet, 'eth_signTypedData_v4', [address, text]);
}

export type Chain = { chainId: number; rpcUrl: string | null };

/** Switches the wallet to a chain, because wallets sign for their current chain. Adds an unknown chain by `rpcUrl`. */
export async function switchChain(wallet: Wallet, { chainId, rpcUrl }: Chain): Promise<void> {
  const hex = `0x${chainId.toString(16)}`;
  const current = await ask<string>(wallet, 'eth_chainId');
  if (Number(current) === chainId) return;
  try {
    await ask(wallet, 'wallet_switchEthereumChain', [{ chainId: hex }]);
  } catch (error) {
    if (!(error instanceof WalletError) || codeOf(error.cause) !== CHAIN_UNKNOWN || rpcUrl === null) throw error;
    const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 };
    await ask(wallet, 'wallet_addEthereumChain', [
      { chainId: hex, chainName: walletText.chain({ chainId }), nativeCurrency, rpcUrls: [rpcUrl] },
    ]);
  }
}
