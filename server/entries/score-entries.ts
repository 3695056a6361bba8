import { type AiScore, hasScores, listEligible, lockEligible, writeAiScores } from './score-queries.ts';
import type { Queryable, Tx } from '../db/database.ts';

/** Returns the ids of the entries to score. The list is empty when an entry has a score, because scores then decide. */
export async function entriesToScore(db: Queryable, projectId: string): Promise<string[]> {
  return (await hasScores(db, projectId)) ? [] : await listEligible(db, projectId);
}

/**
 * Records the AI judge's scores of the eligible entries. Entries without a score rank last. Returns `refused` if no
 * entry is left or the poster has scored one meanwhile, and `unscored` if no eligible entry has a score. The caller
 * holds the project's lock.
 */
export async function scoreEntries(
  tx: Tx,
  projectId: string,
  scores: AiScore[],
  now: Date,
): Promise<'scored' | 'unscored' | 'refused'> {
  const entries = await lockEligible(tx, projectId);
  if (entries.length === 0 || entries.some((entry) => entry.scored)) return 'refused';
  const given = new Map(scores.map((score) => [score.submissionId, score]));
  const matching = entries.flatMap(({ id }) => given.get(id) ?? []);
  if (matching.length === 0) return 'unscored';
  await writeAiScores(tx, matching, now);
  return 'scored';
}
