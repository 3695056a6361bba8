import type { Page } from 'playwright-core';
import type { PrivateKeyAccount } from 'viem/accounts';
import { hexToString, type Hex } from 'viem';

export const WALLET_NAME = 'Rig Wallet';

/**
 * Injects a wallet into pages that open later, as an extension does: announced by EIP-6963. The key stays outside the page.
 */
export async function injectWallet(page: Page, account: PrivateKeyAccount): Promise<void> {
  await page.exposeFunction('rigWallet', (method: string, params: unknown[]) => answer(account, method, params));
  await page.addInitScript(announce, WALLET_NAME);
}

async function answer(account: PrivateKeyAccount, method: string, params: unknown[]): Promise<unknown> {
  switch (method) {
    case 'eth_requestAccounts':
      return [account.address];
    case 'eth_chainId':
      return '0x14a34';
    case 'personal_sign':
      return await account.signMessage({ message: hexToString(params[0] as Hex) });
    case 'eth_signTypedData_v4':
      return await account.signTypedData(
        JSON.parse(params[1] as string) as Parameters<typeof account.signTypedData>[0],
      );
    default:
      throw new Error(method);
  }
}

/** Runs in the page. */
function announce(name: string): void {
  const page = globalThis as unknown as EventTarget & {
    rigWallet(method: string, params: unknown[]): Promise<unknown>;
    CustomEvent: typeof CustomEvent;
  };
  const provider = {
    request: ({ method, params = [] }: { method: string; params?: unknown[] }) => page.rigWallet(method, params),
  };
  const icon =
    'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4"/></svg>';
  const info = { uuid: '350670db-19fa-4704-a166-e52e178b59d2', name, icon, rdns: 'test.rig' };
  const announceProvider = () =>
    page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }));
  page.addEventListener('eip6963:requestProvider', announceProvider);
  announceProvider();
}
