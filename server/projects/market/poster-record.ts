import type { z } from 'zod';
import type { posterRecord as recordSchema } from '../../../contract/projects/poster-record.ts';
import type { Deps } from '../../deps.ts';
import { paidTotalMicro } from '../../payouts/public.ts';
import { posterNames } from '../../posters/public.ts';
import { posterFigures } from './public-queries.ts';

type RecordDeps = Pick<Deps, 'reads' | 'clock'>;
type PosterRecord = z.input<typeof recordSchema>;

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
