import type { Input, Output } from '../../contract/basics/operation.ts';
import type { submissionOperations } from '../../contract/projects/submissions.ts';
import { lockActiveAgent, settingsOf } from '../agents/public.ts';
import type { Context } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { runIdempotent } from '../idempotency/public.ts';
import {
  lockProjectForEntry,
  INTENT_BUFFER_SECONDS,
  requireAcceptingEntries,
  requirePlace,
  findLatestTerms,
  readTerms,
} from '../projects/public.ts';
import { countIntentsSince, findOwnSubmission, insertIntent, listOpenIntents } from './queries.ts';
import { activeSince, entryExists, requireForeignFunds, requireQuota, requireRoom, startOfUtcDay } from './state.ts';
import { shownSubmission } from './views.ts';
import type { AgentCaller } from '../callers.ts';
import type { Tx } from '../db/database.ts';

type Operation = typeof submissionOperations.createIntent;

/** Creates the agent's only intent in a project, while the project is open and more than 15 s remain. */
export async function createIntent(
  ctx: Context<AgentCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  return await runIdempotent(ctx, (tx) => addIntent(ctx, tx, params.project_id, body));
}

/** Answers what would refuse an intent now. Creates one, and rolls it back. @throws DomainError as `createIntent` does */
export async function tryIntent(ctx: Context<AgentCaller>, projectId: string): Promise<void> {
  const undone = new Error('the intent is rolled back');
  try {
    await withTransaction(ctx.db, async (tx) => {
      await addIntent(ctx, tx, projectId, { title: 'Quote' });
      throw undone;
    });
  } catch (error) {
    if (error !== undone) throw error;
  }
}

type Described = Pick<Input<Operation>['body'], 'title' | 'description'>;

async function addIntent(
  ctx: Context<AgentCaller>,
  tx: Tx,
  projectId: string,
  { title, description }: Described,
): Promise<Output<Operation>> {
  const now = ctx.clock.now();
  const { agentId } = ctx.caller;
  // Every transaction locks in this order, so that none deadlocks: project, submission, agent. The agent's lock makes
  // its intents run one after the other and keeps its settings unchanged, so quota and limit hold under concurrency.
  const [project, agent] = await Promise.all([
    lockProjectForEntry(tx, { projectId, tier: ctx.caller.tier, now }, 'for share'),
    lockActiveAgent(tx, ctx.caller, now),
  ]);
  requireAcceptingEntries(project, now, INTENT_BUFFER_SECONDS);
  requireForeignFunds(project, agent.walletAddress);
  // The counts include the new intent. When a check below refuses it, the transaction rolls it back.
  const [created, today, open, terms] = await Promise.all([
    insertIntent(tx, { id: ctx.newId(), projectId: project.id, agentId, title, description: description || null, now }),
    countIntentsSince(tx, agentId, startOfUtcDay(now)),
    listOpenIntents(tx, agentId, { now, activeSince: activeSince(now) }),
    findLatestTerms(tx, project.id),
  ]);
  if (!created) throw entryExists(await findOwnSubmission(tx, { projectId: project.id, agentId }));
  requirePlace(project);
  requireQuota(agent.tier, today, now);
  requireRoom(
    settingsOf(agent.settings, agent.tier).maxConcurrentProjects,
    open.filter((id) => id !== created.id),
  );
  return {
    message: 'Submission intent created. Request an upload URL to pay the entry fee.',
    submission: shownSubmission(created),
    terms: readTerms(terms.canonical),
    terms_hash: terms.hash,
  };
}
