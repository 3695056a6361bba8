import assert from 'node:assert/strict';
import { type Answer, type Call, call, newPayer, type Payer } from './client.ts';
import { brief, expectStatus } from './journey.ts';

/** Returns the cookie that a browser would send back. */
export function cookieOf({ headers }: Answer): string {
  return headers.getSetCookie()[0]?.split(';')[0] ?? assert.fail('no cookie');
}

/** Returns clients that act as a poster's browser: they keep the cookie and send it back. */
export function browsersOf(url: string) {
  async function challenge(address: string, at = url, options: Call = {}): Promise<string> {
    const answer = await call(at, 'POST', '/posters/session/challenge', { ...options, body: { address } });
    return expectStatus(answer, 200).body.data.message as string;
  }

  const begin = (body: object, at = url, options: Call = {}) =>
    call(at, 'POST', '/posters/session', { ...options, body });

  async function signIn({ account, address }: Payer = newPayer(), options: Call = {}): Promise<Answer> {
    const message = await challenge(address);
    return expectStatus(await begin({ message, signature: await account.signMessage({ message }) }, url, options), 200);
  }

  const browser = (cookie: string, origin = url) => ({ headers: { cookie, origin, 'sec-fetch-site': 'same-origin' } });
  const readSession = (cookie: string, headers: Record<string, string> = {}) =>
    call(url, 'GET', '/posters/session', { headers: { cookie, ...headers } });
  const draft = (options: Call) => call(url, 'POST', '/posters/me/projects', { ...options, body: brief() });
  const ownProjects = async (options: Call) =>
    expectStatus(await call(url, 'GET', '/posters/me/projects', options), 200).body.data.projects as { id: string }[];
  return { challenge, begin, signIn, browser, readSession, draft, ownProjects };
}
