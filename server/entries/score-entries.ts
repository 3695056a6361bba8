import {
  type AiScore,
  findScoredEntry,
  hasScores,
  listEligible,
  lockEligible,
  type ScoredEntry,
  writeAiScores,
} from './score-queries.ts';
import type { Queryable, Tx } from '../ports/database.ts';

export type { AiScore, ScoredEntry };

/** Ids of the entries that a judge looks at; none when one of them has a score already: then the scores decide. */
export async function entriesToScore(db: Queryable, projectId: string): Promise<string[]> {
  return (await hasScores(db, projectId)) ? [] : await listEligible(db, projectId);
}

export async function entryToScore(db: Queryable, submissionId: string): Promise<ScoredEntry | null> {
  return await findScoredEntry(db, submissionId);
}

/**
 * Takes the scores of a judge that is no person: all or none, and none when the poster gave one meanwhile. The caller
 * holds the project's lock.
 */
export async function scoreEntries(tx: Tx, projectId: string, scores: AiScore[], now: Date): Promise<boolean> {
  const entries = await lockEligible(tx, projectId);
  if (entries.length === 0 || entries.some((entry) => entry.scored)) return false;
  const given = new Map(scores.map((score) => [score.submissionId, score]));
  const matching = entries.flatMap(({ id }) => given.get(id) ?? []);
  if (matching.length < entries.length) return false;
  await writeAiScores(tx, matching, now);
  return true;
}
