import assert from 'node:assert/strict';
import { verifyMessage } from 'viem';
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts';
import { posterOperations } from '../../../contract/posters.ts';
import { sessionOperations } from '../../../contract/sessions.ts';
import { testHouse } from './agents-world.ts';
import type { Context, Deps } from '../../../server/deps.ts';
import type { SignedMessage } from '../../../server/ports/chain.ts';
import { createSessionAuthenticator } from '../../../server/posters/authenticate-session.ts';
import { challengeSession } from '../../../server/posters/challenge-session.ts';
import { createPoster } from '../../../server/posters/create-poster.ts';
import { createSession } from '../../../server/posters/create-session.ts';
import { deleteSession } from '../../../server/posters/delete-session.ts';
import type { Db } from '../../../server/ports/database.ts';
import type { PosterCaller } from '../../../server/ports/callers.ts';

export const MINUTE = 60_000;
export const DAY = 86_400_000;

export const newKey = () => privateKeyToAccount(generatePrivateKey());
export const lower = (account: PrivateKeyAccount) => account.address.toLowerCase();

/** A house whose chain knows keys only, and `before` which may do something between the signature and the session. */
export function sessionHouse(db: Db, given: Partial<Deps> = {}) {
  const world = { before: async () => {} };
  const chain = {
    async verifyMessage(signed: SignedMessage) {
      await world.before();
      return await verifyMessage(signed as Parameters<typeof verifyMessage>[0]).catch(() => false);
    },
  } as unknown as Deps['chain'];
  const house = testHouse(db, { chain, ...given });
  const authenticator = createSessionAuthenticator(house.deps);
  const { body } = sessionOperations.createSession;
  const start = async (request: object) => {
    const { data, session } = await createSession(house.anyone, { body: body.parse(request) });
    return { ...sessionOperations.createSession.output.parse(data), ...session };
  };
  const challenge = async ({ address }: { address: string }) => {
    const parsed = sessionOperations.challengeSession.body.parse({ address });
    const answer = await challengeSession(house.anyone, { body: parsed });
    return sessionOperations.challengeSession.output.parse(answer);
  };
  /** As one request after another finds it: the cache is only as old as each look. */
  const isSignedIn = async (token: string) =>
    (await createSessionAuthenticator(house.deps).authenticate(token)) !== null;
  const as = async (token: string): Promise<Context<PosterCaller>> => {
    const caller = (await createSessionAuthenticator(house.deps).authenticate(token)) ?? assert.fail('not signed in');
    return { ...house.anyone, posterSessions: authenticator, caller };
  };
  return {
    ...house,
    world,
    authenticator,
    challenge,
    start,
    isSignedIn,
    as,
    async signIn(account: PrivateKeyAccount, more: object = {}) {
      const { message } = await challenge(account);
      return await start({ message, signature: await account.signMessage({ message }), ...more });
    },
    async end(token: string, everywhere = false) {
      return await deleteSession(await as(token), { query: { everywhere } });
    },
    async register() {
      return await createPoster(house.anyone, {
        body: posterOperations.createPoster.body.parse({ poster_name: 'Almanac House' }),
      });
    },
  };
}
