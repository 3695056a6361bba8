import type { Deps } from '../../deps.ts';
import { paidTotalMicro } from '../../payouts/public.ts';
import { posterNames } from '../../posters/public.ts';
import { posterFigures, type PosterRecord } from './public-queries.ts';

type RecordDeps = Pick<Deps, 'reads' | 'clock'>;

/** Returns what everyone may know about a poster: its projects by outcome, and how long it took to choose. */
export async function posterRecord({ reads, clock }: RecordDeps, posterId: string): Promise<PosterRecord> {
  const [{ awarded, ...figures }, names] = await Promise.all([
    posterFigures(reads, posterId, clock.now()),
    posterNames(reads, [posterId]),
  ]);
  const poster = names.get(posterId);
  return {
    id: posterId,
    name: poster?.name ?? '',
    since: poster?.createdAt ?? clock.now(),
    ...figures,
    paid_out_micro: await paidTotalMicro(reads, awarded),
  };
}
