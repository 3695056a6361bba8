import type { Input, Output } from '../../contract/basics/operation.ts';
import type { posterOperations } from '../../contract/posters.ts';
import type { Context } from '../deps.ts';
import { runIdempotent } from '../idempotency/public.ts';
import { addKey } from '../keys/public.ts';
import { offerContact } from '../mail/public.ts';
import { insertPoster } from './queries.ts';
import type { PublicCaller } from '../callers.ts';

type Operation = typeof posterOperations.createPoster;

/** Registers a poster and issues its API key. An email address is its contact address once the poster opens the link. */
export async function createPoster(ctx: Context<PublicCaller>, { body }: Input<Operation>): Promise<Output<Operation>> {
  const now = ctx.clock.now();
  const { termsUrl, termsVersion } = ctx.config.legal;
  const posterId = ctx.newId();
  return await runIdempotent(ctx, async (tx) => {
    await insertPoster(tx, { id: posterId, name: body.poster_name, email: body.email ?? null, termsVersion, now });
    const { apiKey } = await addKey(ctx, tx, { kind: 'poster', id: posterId }, { name: null, scope: 'full' });
    const account = { kind: 'poster', id: posterId } as const;
    const linkSent = body.email !== undefined && (await offerContact(ctx, tx, { account, address: body.email, now }));
    const stored = 'Poster registered. Store the API key now: it is shown only once.';
    return {
      message: linkSent ? `${stored} Emails start once the link at your address is opened.` : stored,
      posterId,
      apiKey,
      link_sent: linkSent,
      terms_url: termsUrl,
      terms_version: termsVersion,
    };
  });
}
