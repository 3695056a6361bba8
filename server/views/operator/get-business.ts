import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { businessOperations } from '../../../contract/operator/business.ts';
import type { Context } from '../../deps.ts';
import type { OperatorCaller } from '../../ports/callers.ts';
import { countRegistrations, sumMarket } from './business-queries.ts';

type Operation = typeof businessOperations.getBusiness;

const DAY_MS = 86_400_000;
/** A median of one or two choices says nothing. */
const FEWEST_CHOICES = 3;

/** Returns the figures of the business of the last days. */
export async function getBusiness(
  { views, clock }: Context<OperatorCaller>,
  { query }: Input<Operation>,
): Promise<Output<Operation>> {
  const today = Math.floor(clock.now().getTime() / DAY_MS) * DAY_MS;
  const days = Array.from({ length: query.days }, (_, index) =>
    new Date(today - (query.days - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
  const since = new Date(today - (query.days - 1) * DAY_MS);
  const [market, registrations] = await Promise.all([
    sumMarket(views, since),
    countRegistrations(views, { since, fromId: firstIdAt(since), days }),
  ]);
  return {
    take_up: {
      projects: market.projects,
      entered: market.entered,
      entries: market.entries,
      prizes_micro: market.prizesMicro,
    },
    choice: {
      awarded: market.awarded,
      by_poster: market.byPoster,
      median_seconds: market.byPoster < FEWEST_CHOICES ? null : market.medianSeconds,
    },
    registrations,
  };
}

/** Returns the lowest UUIDv7 of a time. */
function firstIdAt(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}
