import assert from 'node:assert/strict';
import { type Answer, type Call, call, newPayer, type Payer } from './client.ts';
import { expectStatus } from './journey.ts';

/** Returns the cookie that a browser would send back. */
export function cookieOf({ headers }: Answer): string {
  return headers.getSetCookie()[0]?.split(';')[0] ?? assert.fail('no cookie');
}

/** Returns clients that act as a poster's browser: they keep the cookie and send it back. */
export function browsersOf(url: string) {
  async function challenge(address: string, at = url): Promise<string> {
    const answer = await call(at, 'POST', '/posters/session/challenge', { body: { address } });
    return expectStatus(answer, 200).body.data.message as string;
  }

  const begin = (body: object, at = url, options: Call = {}) =>
    call(at, 'POST', '/posters/session', { ...options, body });

  async function signIn({ account, address }: Payer = newPayer()): Promise<Answer> {
    const message = await challenge(address);
    return expectStatus(await begin({ message, signature: await account.signMessage({ message }) }), 200);
  }

  const browser = (cookie: string, origin = url) => ({ headers: { cookie, origin, 'sec-fetch-site': 'same-origin' } });
  return { challenge, begin, signIn, browser };
}
