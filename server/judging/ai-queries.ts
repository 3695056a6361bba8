import type { Db, Queryable, Tx } from '../ports/database.ts';

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

export async function decide(
  tx: Queryable,
  { projectId, state, error, now }: { projectId: string; state: AiJudgingState; error: string | null; now: Date },
): Promise<void> {
  await tx`
    update ai_judging set state = ${state}, error = ${error}, updated_at = ${now}
    where project_id = ${projectId} and state = 'running'`;
}

export type AiScoreRow = { submissionId: string; attempts: number; score: number | null; reason: string | null };

/** Index ai_scores_project. */
export async function listScores(db: Queryable, projectId: string): Promise<AiScoreRow[]> {
  return await db<AiScoreRow[]>`
    select submission_id as "submissionId", attempts, score, reason from ai_scores where project_id = ${projectId}`;
}

type Request = { projectId: string; submissionId: string; now: Date };

/**
 * Counts a request and reserves its maximum cost before it is sent. Returns the number of requests for this entry, or
 * null if the budget does not cover the cost.
 */
export async function reserveRequest(
  tx: Tx,
  { projectId, submissionId, tokens, budget, now }: Request & { tokens: number; budget: number },
): Promise<number | null> {
  const { count } = await tx`
    update ai_judging set tokens_used = tokens_used + ${tokens}, updated_at = ${now}
    where project_id = ${projectId} and state = 'running' and tokens_used + ${tokens} <= ${budget}`;
  if (count === 0) return null;
  const [row] = await tx<[{ attempts: number }]>`
    insert into ai_scores (submission_id, project_id, attempts, updated_at)
    values (${submissionId}, ${projectId}, 1, ${now})
    on conflict (submission_id) do update set attempts = ai_scores.attempts + 1, updated_at = excluded.updated_at
    returning attempts`;
  return row.attempts;
}

export type Settlement = Request & {
  reserved: number;
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
  { projectId, submissionId, reserved, tokens, verdict, endpointFault, now }: Settlement,
): Promise<number> {
  await tx`
    update ai_judging
    set tokens_used = greatest(0, tokens_used + ${tokens - reserved}), updated_at = ${now},
      attempts = case when ${verdict !== null} then 0 else attempts end
    where project_id = ${projectId}`;
  const [row] = await tx<[{ attempts: number }]>`
    update ai_scores
    set score = ${verdict?.score ?? null}, reason = ${verdict?.reason ?? null}, updated_at = ${now},
      attempts = greatest(0, attempts - ${verdict || endpointFault ? 1 : 0})
    where submission_id = ${submissionId} returning attempts`;
  return row.attempts;
}
