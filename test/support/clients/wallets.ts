import { type Answer, call, type Payer } from './client.ts';
import { expectStatus } from './journey.ts';

export async function challengeWallet(url: string, key: string, address: string): Promise<string> {
  const answer = await call(url, 'POST', '/agents/me/wallet/challenge', { key, body: { address } });
  return expectStatus(answer, 200).body.data.message as string;
}

export async function linkWallet(url: string, key: string, message: string, signature: string): Promise<Answer> {
  return await call(url, 'PUT', '/agents/me/wallet', { key, body: { message, signature } });
}

/** Links the wallet to the agent of a key by its challenge. */
export async function linkPayer(url: string, key: string, { account, address }: Payer): Promise<Answer> {
  const message = await challengeWallet(url, key, address);
  return await linkWallet(url, key, message, await account.signMessage({ message }));
}
