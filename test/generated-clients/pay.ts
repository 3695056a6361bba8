import { ExactEvmScheme } from '@x402/evm';
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import { text } from 'node:stream/consumers';
import { privateKeyToAccount } from 'viem/accounts';

/** What the test hands over on the standard input. */
export type Order = {
  url: string;
  key: string;
  privateKey: `0x${string}`;
  projectId: string;
  picture: string;
};

export const order = JSON.parse(await text(process.stdin)) as Order;
export const picture = Buffer.from(order.picture, 'base64');
export const file = { fileName: 'entry.png', fileType: 'image/png', fileSize: picture.length } as const;
export const headers = { authorization: `Bearer ${order.key}`, 'x-forwarded-for': '203.0.113.9' };

/** The unmodified x402 client: it pays when it is asked to. */
export const paying: typeof fetch = wrapFetchWithPaymentFromConfig(fetch, {
  schemes: [{ network: 'eip155:*', client: new ExactEvmScheme(privateKeyToAccount(order.privateKey)) }],
});

export async function put(uploadUrl: string): Promise<void> {
  const { ok, status } = await fetch(uploadUrl, {
    method: 'PUT',
    headers: { 'content-type': 'image/png' },
    body: picture,
  });
  if (!ok) throw new Error(`the upload answered ${status}`);
}
