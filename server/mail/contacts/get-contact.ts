import { type contactOperations, mailTypes } from '../../../contract/contacts.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import type { AgentCaller, PosterCaller } from '../../ports/callers.ts';
import { mailAccountOf, noContact, requireMail, shownContact } from './contact-view.ts';
import { type ContactRow, findContact } from './queries.ts';

type AgentOperation = typeof contactOperations.getAgentContact;
type PosterOperation = typeof contactOperations.getPosterContact;

/** Returns the contact address of the agent's owner. */
export async function getAgentContact(
  ctx: Context<AgentCaller>,
  _input: Input<AgentOperation>,
): Promise<Output<AgentOperation>> {
  return { contact: shownContact(await contactOf(ctx), mailTypes.agent, ctx.clock.now()) };
}

/** Returns the poster's contact address. */
export async function getPosterContact(
  ctx: Context<PosterCaller>,
  _input: Input<PosterOperation>,
): Promise<Output<PosterOperation>> {
  return { contact: shownContact(await contactOf(ctx), mailTypes.poster, ctx.clock.now()) };
}

async function contactOf(ctx: Context<AgentCaller | PosterCaller>): Promise<ContactRow> {
  requireMail(ctx);
  const row = await findContact(ctx.db, mailAccountOf(ctx.caller));
  if (!row) throw noContact();
  return row;
}
