import { rpcClient } from '../../../server/devnet/chain-rpc.ts';
import type { PaymentQuote, PresentedPayment } from '../../../server/payments/types.ts';
import type { Answer, Payer } from '../clients/client.ts';
import { execute, now, signPayment } from './authorizations.ts';

/** Signs a payment that answers a 402, and executes it on chain without the service. Anybody can read it there. */
export async function executeOutside(
  rpcUrl: string,
  payer: Payer,
  refusal: Answer,
  { validSeconds = 300 }: { validSeconds?: number } = {},
): Promise<Record<string, string>> {
  const presented = await signPayment(payer, quoteOf(refusal), { validBefore: now() + validSeconds });
  await execute(rpcClient(rpcUrl), presented);
  return headersOf(presented);
}

/** The quote of a 402 answer. */
function quoteOf({ headers }: Answer): PaymentQuote {
  const header = headers.get('payment-required') ?? '';
  const { accepts } = JSON.parse(Buffer.from(header, 'base64').toString()) as {
    accepts: [{ amount: string; payTo: string; asset: string; network: string }];
  };
  const [{ amount, payTo, asset, network }] = accepts;
  return {
    kind: 'entry_fee',
    subjectId: '',
    network,
    asset: asset.toLowerCase(),
    payTo: payTo.toLowerCase(),
    amountMicro: Number(amount),
    resourceUrl: '',
    description: '',
  };
}

/** The headers that carry a payment in x402 version 2. */
function headersOf({ accepted, signature, authorization }: PresentedPayment): Record<string, string> {
  const payment = { x402Version: 2, accepted, payload: { signature, authorization } };
  return { 'payment-signature': Buffer.from(JSON.stringify(payment)).toString('base64') };
}
