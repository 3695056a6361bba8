import { x402Client, x402HTTPClient } from '@x402/core/client';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { InputError } from '../../components/public.ts';
import { poster } from '../../messages/public.ts';
import { signTypedData, type TypedData, type Wallet } from '../../wallets/public.ts';

/**
 * Has the wallet sign the payment that a 402 requires, with the public x402 client. Loaded when the user pays.
 *
 * @param required the headers of the 402
 * @param micro the amount that the user has confirmed
 * @returns the headers of the request that pays
 */
export async function signPayment(
  wallet: Wallet,
  address: string,
  required: Headers,
  micro: number,
): Promise<Record<string, string>> {
  const signer = {
    address: address as `0x${string}`,
    signTypedData: async (data: TypedData) => (await signTypedData(wallet, address, data)) as `0x${string}`,
  };
  // The client limits payments to $1 by default. The user has confirmed the amount, and the wallet shows it again.
  const client = new x402Client().register('eip155:*', new ExactEvmScheme(signer)).setSpendControls(false);
  const http = new x402HTTPClient(client);
  const asked = http.getPaymentRequiredResponse((name) => required.get(name));
  if (asked.accepts.some(({ amount }) => amount !== String(micro))) throw new InputError(poster.publish.changed);
  return http.encodePaymentSignatureHeader(await client.createPaymentPayload(asked));
}
