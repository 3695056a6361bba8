import type { Db, Queryable, Tx } from '../../ports/database.ts';

export type AiJudgingState = 'running' | 'scored' | 'impossible';

/** Returns the state of AI judging, or null before its first round. Only `scored` lets scores decide. */
export async function findAiJudgingState(db: Queryable, projectId: string): Promise<AiJudgingState | null> {
  const [row] = await db<{ state: AiJudgingState }[]>`select state from ai_judging where project_id = ${projectId}`;
  return row?.state ?? null;
}

/**
 * Starts a round and locks out other processes until `until`. Returns null if judging is decided, another process runs
 * a round, or no round is due.
 *
 * A round is counted at its start, so a round that kills its process counts too.
 */
export async function takeRound(
  db: Db,
  { projectId, now, until }: { projectId: string; now: Date; until: Date },
): Promise<{ attempts: number } | null> {
  const [row] = await db<{ attempts: number }[]>`
    insert into ai_judging as judging (project_id, state, attempts, due_at, updated_at)
    values (${projectId}, 'running', 1, ${until}, ${now})
    on conflict (project_id) do update
      set attempts = judging.attempts + 1, due_at = excluded.due_at, updated_at = excluded.updated_at
      where judging.state = 'running' and judging.due_at <= ${now}
    returning attempts`;
  return row ?? null;
}

/** Ends a round. `uncounted`: the process was told to stop, so the round does not count as failed. */
export async function endRound(
  db: Db,
  {
    projectId,
    dueAt,
    error,
    uncounted,
    now,
  }: { projectId: string; dueAt: Date; error: string; uncounted: boolean; now: Date },
): Promise<void> {
  await db`
    update ai_judging
    set due_at = ${dueAt}, error = ${error}, updated_at = ${now},
      attempts = greatest(0, attempts - ${uncounted ? 1 : 0})
    where project_id = ${projectId} and state = 'running'`;
}

export async function decideAiJudging(
  tx: Queryable,
  { projectId, state, error, now }: { projectId: string; state: AiJudgingState; error: string | null; now: Date },
): Promise<void> {
  await tx`
    update ai_judging set state = ${state}, error = ${error}, updated_at = ${now}
    where project_id = ${projectId} and state = 'running'`;
}

export type AiScoreRow = {
  submissionId: string;
  attempts: number;
  score: number | null;
  reason: string | null;
  /** Why the entry has no score, once that is final. */
  unscorable: string | null;
};

/** Index ai_scores_project. */
export async function listScores(db: Queryable, projectId: string): Promise<AiScoreRow[]> {
  return await db<AiScoreRow[]>`
    select submission_id as "submissionId", attempts, score, reason, unscorable from ai_scores
    where project_id = ${projectId}`;
}

type Request = { projectId: string; submissionId: string; now: Date };

/** `number`: how many requests were sent for this entry, this one included. */
export type RequestPermit =
  | { kind: 'reserved'; number: number }
  | { kind: 'entryBudgetUsed' }
  | { kind: 'dayBudgetUsed' };

/**
 * Counts a request before it is sent, and reserves its maximum cost in the budget of the UTC day. The entry pays only for
 * answers: a request that the service or the endpoint cut short costs it one of its tries, and nothing of its budget.
 * The row of the day comes last, because every project uses it.
 */
export async function reserveRequest(
  tx: Tx,
  { projectId, submissionId, tokens, budgets, now }: Request & { tokens: number; budgets: Budgets },
): Promise<RequestPermit> {
  await tx`
    insert into ai_scores (submission_id, project_id, updated_at) values (${submissionId}, ${projectId}, ${now})
    on conflict (submission_id) do nothing`;
  const [row] = await tx<{ attempts: number }[]>`
    update ai_scores set attempts = attempts + 1, updated_at = ${now}
    where submission_id = ${submissionId} and tokens_used + ${tokens} <= ${budgets.perEntry}
    returning attempts`;
  if (!row) return { kind: 'entryBudgetUsed' };
  await tx`
    update ai_judging set tokens_used = tokens_used + ${tokens}, updated_at = ${now} where project_id = ${projectId}`;
  const { count } = await tx`
    insert into ai_days as today (day, tokens_used) values (${dayOf(now)}, ${tokens})
    on conflict (day) do update set tokens_used = today.tokens_used + excluded.tokens_used
      where today.tokens_used + excluded.tokens_used <= ${budgets.perDay}`;
  return count === 0 ? { kind: 'dayBudgetUsed' } : { kind: 'reserved', number: row.attempts };
}

export type Budgets = { perEntry: number; perDay: number };

/** The UTC day, as PostgreSQL reads a date. */
function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

export type SettledRequest = Request & {
  reserved: number;
  /** When the cost was reserved, which says on which day it counts. */
  reservedAt: Date;
  tokens: number;
  verdict: { score: number; reason: string } | null;
  /** The endpoint failed, not the entry. */
  endpointFault: boolean;
};

/**
 * Settles a reserved request with its real cost and its verdict. Returns how many requests for this entry had no valid
 * answer so far.
 */
export async function settleRequest(
  tx: Tx,
  { projectId, submissionId, reserved, reservedAt, tokens, verdict, endpointFault, now }: SettledRequest,
): Promise<number> {
  const change = tokens - reserved;
  const [row] = await tx<[{ attempts: number }]>`
    update ai_scores
    set score = ${verdict?.score ?? null}, reason = ${verdict?.reason ?? null}, updated_at = ${now},
      tokens_used = tokens_used + ${endpointFault ? 0 : tokens},
      attempts = greatest(0, attempts - ${verdict || endpointFault ? 1 : 0})
    where submission_id = ${submissionId} returning attempts`;
  await tx`
    update ai_judging
    set tokens_used = greatest(0, tokens_used + ${change}), updated_at = ${now},
      attempts = case when ${verdict !== null} then 0 else attempts end
    where project_id = ${projectId}`;
  await tx`update ai_days set tokens_used = greatest(0, tokens_used + ${change}) where day = ${dayOf(reservedAt)}`;
  return row.attempts;
}

/** Records for good that entries have no score. Keeps an earlier reason, and a score. */
export async function markUnscorable(
  tx: Queryable,
  { projectId, submissionIds, now }: { projectId: string; submissionIds: string[]; now: Date },
  reason: string,
): Promise<void> {
  await tx`
    insert into ai_scores as kept (submission_id, project_id, unscorable, updated_at)
    select id, ${projectId}, ${reason}, ${now} from unnest(${submissionIds}::uuid[]) as given (id)
    on conflict (submission_id) do update set unscorable = excluded.unscorable, updated_at = excluded.updated_at
      where kept.score is null and kept.unscorable is null`;
}
