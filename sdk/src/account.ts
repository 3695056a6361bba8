import { microOf, type Usdc } from './money.ts';
import type { Service } from './service.ts';
import { type WalletOption, walletOf } from './wallet.ts';

/** The service answers a repeated registration, or draft, with the same key as it answered the first one. */
export type Once = { idempotencyKey?: string };

/** Sends a request that creates something, so that a retry does not create it twice. */
export async function createOnce<T>(service: Service, path: string, body: object, options: Once = {}): Promise<T> {
  const headers = { 'idempotency-key': options.idempotencyKey ?? crypto.randomUUID() };
  return await service.call<T>('POST', path, { headers, body });
}

/** Registers an account. The service uses its key from now on. */
export async function register<T extends { apiKey: string }>(
  service: Service,
  path: string,
  details: object,
  options?: Once,
): Promise<T> {
  const account = await createOnce<T>(service, path, details, options);
  service.key = account.apiKey;
  return account;
}

/** Mints test USDC to the wallet. Only a development start of the service has a faucet. */
export async function faucet(service: Service, wallet: WalletOption | undefined, amount: Usdc): Promise<void> {
  const { address } = await walletOf(wallet);
  await service.call('POST', '/dev/faucet', { body: { address, amount_usdc: microOf(amount, 'amount') / 1e6 } });
}
