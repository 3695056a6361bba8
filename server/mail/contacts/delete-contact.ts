import { withTransaction } from '../../db/public.ts';
import type { Context } from '../../deps.ts';
import type { AgentCaller, PosterCaller } from '../../ports/callers.ts';
import { mailAccountOf, noContact } from './contact-view.ts';
import { deleteContactRow } from './queries.ts';

/** Deletes the contact address, also where no mail server is set. Emails that wait in the outbox are not sent any more. */
export async function deleteContact(ctx: Context<AgentCaller | PosterCaller>): Promise<{ message: string }> {
  const deleted = await withTransaction(ctx.db, (tx) => deleteContactRow(tx, mailAccountOf(ctx.caller)));
  if (!deleted) throw noContact();
  return { message: 'The contact address is deleted. No more emails are sent to it.' };
}
