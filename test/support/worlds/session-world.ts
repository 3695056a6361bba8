import assert from 'node:assert/strict';
import type { PrivateKeyAccount } from 'viem/accounts';
import { posterOperations } from '../../../contract/posters.ts';
import { sessionOperations } from '../../../contract/sessions.ts';
import { agentsWorld, verifyingChain } from './agents-world.ts';
import type { Context } from '../../../server/deps.ts';
import { createSessionAuthenticator } from '../../../server/posters/authenticate.ts';
import { createPoster } from '../../../server/posters/create-poster.ts';
import { challengeSession } from '../../../server/keys/challenges.ts';
import { createSession } from '../../../server/posters/create-session.ts';
import type { Db } from '../../../server/db/database.ts';
import type { PosterCaller } from '../../../server/callers.ts';

export const MINUTE = 60_000;
export const DAY = 86_400_000;

/**
 * Creates posters with a chain that verifies only key signatures. `hooks.before` runs between the signature and the
 * session.
 */
export function sessionWorld(db: Db) {
  const hooks = { before: async () => {} };
  const world = agentsWorld(db, { chain: verifyingChain(() => hooks.before()) });
  const authenticator = createSessionAuthenticator(world.deps);
  const { body } = sessionOperations.createSession;
  const start = async (request: object) => {
    const { data, session } = await createSession(world.anyone, { body: body.parse(request) });
    return { ...sessionOperations.createSession.output.parse(data), ...session };
  };
  const challenge = async ({ address }: { address: string }) => {
    const parsed = sessionOperations.challengeSession.body.parse({ address });
    const answer = await challengeSession(world.anyone, { body: parsed });
    return sessionOperations.challengeSession.output.parse(answer);
  };
  /** Uses a new authenticator each time, so no cached session is used. */
  const isSignedIn = async (token: string) =>
    (await createSessionAuthenticator(world.deps).authenticate(token)) !== null;
  const as = async (token: string): Promise<Context<PosterCaller>> => {
    const caller = (await createSessionAuthenticator(world.deps).authenticate(token)) ?? assert.fail('not signed in');
    return { ...world.anyone, knownKeys: authenticator, caller };
  };
  return {
    ...world,
    hooks,
    challenge,
    start,
    isSignedIn,
    as,
    async signIn(account: PrivateKeyAccount, more: object = {}) {
      const { message } = await challenge(account);
      return await start({ message, signature: await account.signMessage({ message }), ...more });
    },
    async register() {
      return await createPoster(world.anyone, {
        body: posterOperations.createPoster.body.parse({ poster_name: 'Almanac House' }),
      });
    },
  };
}
