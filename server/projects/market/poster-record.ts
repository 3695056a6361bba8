import type { z } from 'zod';
import type { posterRecord as recordSchema } from '../../../contract/projects/poster-record.ts';
import type { Deps } from '../../deps.ts';
import { paidTotalMicro } from '../../payouts/public.ts';
import { posterNames } from '../../posters/public.ts';
import { posterFigures } from './public-queries.ts';
import type { Db } from '../../db/database.ts';

type RecordDeps = Pick<Deps, 'reads' | 'clock'>;
type PosterRecord = z.input<typeof recordSchema>;

/** How long agents' details show a record that was read once. Agents read details far more often than a record changes. */
const KNOWN_MS = 5_000;
const MAX_KNOWN = 10_000;

type CachedRecord = { readAt: number; record: Promise<PosterRecord> };
const knownOf = new WeakMap<Db, Map<string, CachedRecord>>();

/** Returns what everyone may know about a poster: its projects by outcome, and how long it took to choose. */
export async function posterRecord({ reads, clock }: RecordDeps, posterId: string): Promise<PosterRecord> {
  const [figures, names] = await Promise.all([
    posterFigures(reads, posterId, clock.now()),
    posterNames(reads, [posterId]),
  ]);
  const poster = names.get(posterId);
  return {
    id: posterId,
    name: poster?.name ?? '',
    since: poster?.createdAt ?? clock.now(),
    projects: figures.projects,
    completed: figures.completed,
    cancelled: figures.cancelled,
    no_winner: figures.noWinner,
    paid_out_micro: await paidTotalMicro(reads, figures.awarded),
    median_choice_seconds: figures.medianChoiceSeconds,
  };
}

/** Works like `posterRecord`; the record can be up to 5 s old. Requests at the same time share one read. */
export async function knownPosterRecord(deps: RecordDeps, posterId: string): Promise<PosterRecord> {
  const now = deps.clock.now().getTime();
  const known = knownOf.get(deps.reads) ?? new Map<string, CachedRecord>();
  knownOf.set(deps.reads, known);
  let entry = known.get(posterId);
  if (!entry || now < entry.readAt || now - entry.readAt >= KNOWN_MS) {
    entry = { readAt: now, record: posterRecord(deps, posterId) };
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(posterId, entry);
    entry.record.catch(() => known.delete(posterId));
  }
  return await entry.record;
}
