import { entryToScore } from '../../entries/public.ts';
import type { Picture, Verdict } from '../types.ts';
import type { ProjectRow } from '../../projects/public.ts';
import { aboutFirstPicture, questionOf } from './ai-question.ts';
import { reserveTokens } from './ai-queries.ts';
import { dearestTokens } from './openai-client.ts';
import type { Deps } from '../../deps.ts';

export type AiJudgingDeps = Pick<Deps, 'ai' | 'db' | 'clock' | 'config' | 'publicCopies' | 'log'>;

export type EntryResult =
  | { kind: 'scored'; verdict: Verdict }
  /** No usable answer in any try. The entry ranks last. */
  | { kind: 'unscorable'; problem: string }
  /** The fault may be the endpoint's or the storage's. */
  | { kind: 'failed'; problem: string; retryAfterMs?: number }
  /** The token budget of the UTC day is used up. */
  | { kind: 'dayOver'; problem: string; retryAfterMs?: undefined };

/** How many requests for one entry can end without a valid answer. */
const MAX_TRIES = 3;
/** Larger sets are shown as thumbnails, so that a request stays below 2 MB. */
const LARGE_PICTURES = 4;

/** Asks the model about one entry. Reserves the most that a request may cost before it is sent, and corrects it afterwards. */
export async function askAboutEntry(
  deps: AiJudgingDeps,
  { brief, submissionId, signal }: { brief: ProjectRow; submissionId: string; signal: AbortSignal },
): Promise<EntryResult> {
  const { ai, db, clock, config } = deps;
  const entry = await entryToScore(db, submissionId);
  const pictures = entry && (await readPictures(deps, entry.mediaFileIds));
  if (!ai || !entry || !pictures) return { kind: 'failed', problem: 'a picture could not be read' };
  const whole = questionOf(brief, { entry, pictures, signal });
  let problem = '';
  for (let number = 1; number <= MAX_TRIES; number += 1) {
    // An odd text must not keep the picture from its score, and neither must an endpoint that takes one picture only.
    const question = number < MAX_TRIES ? whole : aboutFirstPicture(whole);
    const [tokens, at, perDay] = [dearestTokens(question), clock.now(), config.aiTokensPerDay];
    if (!(await reserveTokens(db, { tokens, at, perDay })))
      return { kind: 'dayOver', problem: 'the token budget of the day is used up' };
    const answer = await ai.ask(question);
    await reserveTokens(db, { tokens: answer.tokens - tokens, at, perDay: Number.MAX_SAFE_INTEGER });
    if (answer.kind === 'answer') return { kind: 'scored', verdict: answer.verdict };
    if (answer.kind === 'unavailable') return { ...answer, kind: 'failed' };
    ({ problem } = answer);
  }
  return { kind: 'unscorable', problem };
}

/** Returns every picture of the entry, or null when one cannot be read. */
async function readPictures({ publicCopies, log }: AiJudgingDeps, mediaFileIds: string[]): Promise<Picture[] | null> {
  const small = mediaFileIds.length > LARGE_PICTURES;
  const pictures: Picture[] = [];
  // One after the other, because each may have to be rendered, and a rendering holds memory.
  for (const mediaFileId of mediaFileIds) {
    try {
      const bytes = await publicCopies.read(mediaFileId, small ? 'plain-thumbnail' : 'plain-image');
      if (!bytes) return null;
      pictures.push({ bytes, small });
    } catch (error) {
      log.warn({ err: error, mediaFileId }, 'a picture could not be read for the model');
      return null;
    }
  }
  return pictures.length > 0 ? pictures : null;
}
