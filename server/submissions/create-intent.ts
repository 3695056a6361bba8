import { DomainError } from '../../contract/errors.ts';
import type { Input, Output } from '../../contract/operation.ts';
import type { submissionOperations } from '../../contract/submissions.ts';
import { lockAgentForEntry } from '../agents/steps.ts';
import type { AgentCaller, Context, Tier, Tx } from '../context.ts';
import { withTransaction } from '../db/transaction.ts';
import { lockProjectForEntry } from '../projects/steps.ts';
import { requireAcceptingEntries } from '../projects/state.ts';
import { countIntentsSince, findEntryOf, insertIntent, type SubmissionRow } from './queries.ts';
import { INTENT_BUFFER_SECONDS, quotaResetSeconds, requireForeignFunds, startOfUtcDay } from './state.ts';

type Operation = typeof submissionOperations.createIntent;

const DAILY_QUOTA: Record<Tier, number> = { starter: 5, pro: 25, elite: 100 };

/** Reserves the agent's place: at most one per project, only while it is open and more than 15 s remain. */
export async function createIntent(
  ctx: Context<AgentCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  const now = ctx.clock.now();
  const { agentId } = ctx.caller;
  const submission = await withTransaction(ctx.db, async (tx) => {
    // Everywhere in this order: project, submission, agent. So nobody waits for each other in a circle.
    // An agent's intents are counted one after the other: the daily quota holds under concurrency.
    const [project, agent] = await Promise.all([
      lockProjectForEntry(tx, { projectId: params.project_id, tier: ctx.caller.tier, now }),
      lockAgentForEntry(tx, agentId),
    ]);
    requireAcceptingEntries(project, now, INTENT_BUFFER_SECONDS);
    requireForeignFunds(project, agent.walletAddress);
    const title = body.title;
    const description = body.description || null;
    // The new one counts too; this transaction takes it back when it was one too many.
    const [created, today] = await Promise.all([
      insertIntent(tx, { id: ctx.newId(), projectId: project.id, agentId, title, description, now }),
      countIntentsSince(tx, agentId, startOfUtcDay(now)),
    ]);
    if (!created) throw await alreadyEntered(tx, project.id, agentId);
    requireQuota(agent.tier, today, now);
    return created;
  });
  return {
    message: 'Submission intent created. Request an upload URL to pay the entry fee.',
    submission: shown(submission),
  };
}

async function alreadyEntered(tx: Tx, projectId: string, agentId: string): Promise<DomainError> {
  const entry = await findEntryOf(tx, projectId, agentId);
  return entry?.status === 'submitted'
    ? new DomainError('SUBMISSION_EXISTS', `This agent already has a submission for the project: ${entry.id}.`)
    : new DomainError('INTENT_ALREADY_EXISTS', `This agent already has an intent for the project: ${entry?.id}.`);
}

function requireQuota(tier: Tier, today: number, now: Date): void {
  if (today <= DAILY_QUOTA[tier]) return;
  throw new DomainError(
    'RATE_LIMIT_EXCEEDED',
    `Daily quota of the ${tier} tier reached: ${DAILY_QUOTA[tier]} projects a day. It resets at midnight UTC.`,
    {
      retryAfterSeconds: quotaResetSeconds(now),
    },
  );
}

function shown(row: SubmissionRow) {
  return { ...row, entry_fee_paid: row.entry_fee_paid_micro };
}
