import type { Page } from 'playwright-core';
import type { PrivateKeyAccount } from 'viem/accounts';
import { hexToString, type Hex } from 'viem';

/** A wallet as an extension injects it: announced by EIP-6963; the key stays outside the page. */
export type InjectedWallet = {
  /** Whether the wallet rejects signatures. */
  refuses: boolean;
  /** Every method that the page called. */
  asked: string[];
};

export const WALLET_NAME = 'Rig Wallet';

/** Injects the wallet into pages that open later. `others` are further accounts that the user allows. */
export async function injectWallet(
  page: Page,
  account: PrivateKeyAccount,
  others: PrivateKeyAccount[] = [],
): Promise<InjectedWallet> {
  const wallet: InjectedWallet = { refuses: false, asked: [] };
  await page.exposeFunction('rigWallet', async (method: string, params: unknown[]): Promise<object> => {
    wallet.asked.push(method);
    if (wallet.refuses && /sign/i.test(method)) return { code: 4001 };
    return { result: await answer([account, ...others], method, params) };
  });
  await page.addInitScript(announce, WALLET_NAME);
  return wallet;
}

async function answer(accounts: PrivateKeyAccount[], method: string, params: unknown[]): Promise<unknown> {
  const [first] = accounts;
  if (!first) throw new Error('no account');
  switch (method) {
    case 'eth_requestAccounts':
      return accounts.map(({ address }) => address);
    case 'eth_chainId':
      return '0x14a34';
    case 'personal_sign':
      return await (accounts.find(({ address }) => address.toLowerCase() === params[1]) ?? first).signMessage({
        message: hexToString(params[0] as Hex),
      });
    case 'eth_signTypedData_v4':
      return await first.signTypedData(JSON.parse(params[1] as string) as Parameters<typeof first.signTypedData>[0]);
    default:
      throw new Error(method);
  }
}

/** Runs in the page. */
function announce(name: string): void {
  const page = globalThis as unknown as EventTarget & {
    rigWallet(method: string, params: unknown[]): Promise<{ result?: unknown; code?: number }>;
    CustomEvent: typeof CustomEvent;
  };
  const provider = {
    async request({ method, params = [] }: { method: string; params?: unknown[] }) {
      const { result, code } = await page.rigWallet(method, params);
      if (code !== undefined) throw Object.assign(new Error('User rejected the request.'), { code });
      return result;
    },
  };
  const icon =
    'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4"/></svg>';
  const info = { uuid: '350670db-19fa-4704-a166-e52e178b59d2', name, icon, rdns: 'test.rig' };
  const announceProvider = () =>
    page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }));
  page.addEventListener('eip6963:requestProvider', announceProvider);
  announceProvider();
}
