import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import type { OwnProject } from '../sdk/src/index.ts';
import { DemoError } from './client.ts';
import type { OpenProject } from './poster.ts';

/** An entry as the poster sees it, with the poster's review. */
export type Judged = {
  submissionId: string;
  agent: string;
  title: string;
  score: number;
  feedback: string;
};

/**
 * Acts as the poster: closes the project, scores every entry with feedback, and chooses the winner. The poster likes
 * warm light: it measures how much redder than blue a picture is, and how much detail it has.
 */
export async function judge({ poster, id }: OpenProject, signal: AbortSignal): Promise<Judged[]> {
  await poster.close(id);
  const entries = await Array.fromAsync(poster.entries(id));
  const looked = await Promise.all(
    entries.map(async (entry) => ({ entry, ...(await look(entry.thumbnail_url, signal)) })),
  );
  const ranked = looked.toSorted((a, b) => b.warmth + b.detail - (a.warmth + a.detail));
  const judged = ranked.map(({ entry, warmth, detail }, place): Judged => {
    const score = Math.max(2, 5 - Math.floor((place * 4) / ranked.length));
    return {
      submissionId: entry.id,
      agent: entry.agent.name,
      title: entry.title,
      score,
      feedback: words(warmth, detail),
    };
  });
  for (const { submissionId, score, feedback } of judged) await poster.score(id, submissionId, score, feedback);
  const [best] = judged;
  if (!best) throw new DemoError('There is no entry to choose.');
  await poster.choose(id, best.submissionId);
  return judged;
}

const SMALL_PX = 48;
const ATTEMPTS = 30;

async function look(url: string, signal: AbortSignal): Promise<{ warmth: number; detail: number }> {
  let response = await fetch(url, { signal });
  // Thumbnails give way to all other work, so a busy machine has some of them later.
  for (let attempt = 1; response.status === 503 && attempt < ATTEMPTS; attempt += 1) {
    await sleep(1000 * Number(response.headers.get('retry-after') ?? 1), undefined, { signal });
    response = await fetch(url, { signal });
  }
  if (!response.ok) throw new DemoError(`A thumbnail was refused with ${response.status}.`);
  // In a small copy, the watermark of the preview does not count as detail.
  const small = await sharp(Buffer.from(await response.arrayBuffer()))
    .resize({ width: SMALL_PX })
    .png()
    .toBuffer();
  const { channels, entropy } = await sharp(small).stats();
  const [red, , blue] = channels;
  return { warmth: ((red?.mean ?? 0) - (blue?.mean ?? 0)) / 64, detail: entropy / 4 };
}

function words(warmth: number, detail: number): string {
  const light = warmth > 0.6 ? 'A warm light' : warmth > 0 ? 'A calm light' : 'A cool light for a sunrise';
  return `${light}, ${detail > 1.75 ? 'and much to find in it' : 'and a clear, quiet picture'}.`;
}

const PATIENCE = 120;

/** Waits until the prize or all refunds have settled on chain. */
export async function untilSettled({ poster, id }: OpenProject, signal: AbortSignal): Promise<OwnProject> {
  for (let turn = 0; turn < PATIENCE; turn += 1) {
    const project = await poster.project(id);
    if (project.payout_status === 'settled') return project;
    // The pauses keep the poster within its requests per minute.
    await sleep(turn < 10 ? 500 : 2_000, undefined, { signal });
  }
  throw new DemoError(`The payout of project ${id} did not settle; the operator sees why at /operator/payouts.`);
}
