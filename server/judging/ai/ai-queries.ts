import type { Db, Queryable, Tx } from '../../db/database.ts';
import type { Verdict } from '../types.ts';

export type AiJudgingState = 'running' | 'scored' | 'impossible';

/** Lets the AI judge work on a project, unless it does or did already, and returns its state. */
export async function startAiJudging(tx: Tx, projectId: string, now: Date): Promise<AiJudgingState> {
  const [row] = await tx<[{ state: AiJudgingState }]>`
    insert into ai_judging as judging (project_id, state, due_at)
    values (${projectId}, 'running', ${now})
    on conflict (project_id) do update set state = judging.state
    returning state`;
  return row.state;
}

/**
 * Takes the project that waits the longest for a round, and keeps other processes from it until `until`. The round is counted
 * at its start, so a round that kills its process counts too. Index ai_judging_due.
 */
export async function takeRound(
  db: Db,
  { now, until }: { now: Date; until: Date },
): Promise<{ projectId: string; attempts: number } | null> {
  const [row] = await db<{ projectId: string; attempts: number }[]>`
    update ai_judging set attempts = attempts + 1, due_at = ${until}
    where project_id = (
      select project_id from ai_judging where state = 'running' and due_at <= ${now}
      order by due_at limit 1 for update skip locked)
    returning project_id as "projectId", attempts`;
  return row ?? null;
}

/**
 * Records how a round ended: judging is over, or another round follows at `dueAt`. `attempts`: the rounds in a row that scored
 * nothing.
 */
export async function endRound(
  db: Queryable,
  projectId: string,
  end: { state: 'scored' | 'impossible' } | { dueAt: Date; attempts: number },
  error: string | null,
): Promise<void> {
  const set = 'state' in end ? end : { due_at: end.dueAt, attempts: end.attempts };
  await db`
    update ai_judging set ${db.set({ ...set, error })} where project_id = ${projectId} and state = 'running'`;
}

export type AiScoreRow = {
  submissionId: string;
  verdict: Verdict | null;
  /** Why the entry gets no score. */
  unscorable: string | null;
};

/** Index ai_scores_project. */
export async function listScores(db: Queryable, projectId: string): Promise<AiScoreRow[]> {
  return await db<AiScoreRow[]>`
    select submission_id as "submissionId", unscorable,
      case when score is not null then json_build_object('score', score, 'reason', reason) end as verdict
    from ai_scores where project_id = ${projectId}`;
}

/** Records what became of entries. An earlier record stays. */
export async function recordScores(
  db: Queryable,
  { projectId, submissionIds }: { projectId: string; submissionIds: string[] },
  result: Verdict | string,
): Promise<void> {
  const [verdict, unscorable] = typeof result === 'string' ? [null, result] : [result, null];
  await db`
    insert into ai_scores (submission_id, project_id, score, reason, unscorable)
    select id, ${projectId}, ${verdict?.score ?? null}, ${verdict?.reason ?? null}, ${unscorable}
    from unnest(${submissionIds}::uuid[]) as given (id)
    on conflict (submission_id) do nothing`;
}

/**
 * Reserves tokens of a UTC day before a request, or with a negative number gives them back. Returns false if the day has not
 * enough left. The first request of a day is always sent: one that costs more than a whole day would else wait forever.
 */
export async function reserveTokens(
  db: Queryable,
  { tokens, at, perDay }: { tokens: number; at: Date; perDay: number },
): Promise<boolean> {
  const { count } = await db`
    insert into ai_days as today (day, tokens_used) values (${at.toISOString().slice(0, 10)}, greatest(0, ${tokens}))
    on conflict (day) do update set tokens_used = greatest(0, today.tokens_used + ${tokens})
      where today.tokens_used + ${tokens} <= ${perDay} or ${tokens} <= 0`;
  return count > 0;
}
