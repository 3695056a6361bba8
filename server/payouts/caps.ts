import type { Deps } from '../deps.ts';
import { lockCaps, sentSince } from './cap-queries.ts';
import type { PayoutRow } from './queries.ts';
import type { Tx } from '../ports/database.ts';

const DAY_MS = 86_400_000;
/** One poster or one payee gets at most this part of the day's cap. */
const PARTIES = 10;

/** Why a payout must wait. `until`: when it resumes by itself; null if only the operator can release it. */
export type Hold = { note: string; until: Date | null };

/**
 * Returns why a payout must wait, or null. The caller claims the payout in the same transaction.
 *
 * Refunds have a daily cap of their own. A refund of a deposit that is less than a day old uses no room in it:
 * publishing and canceling costs a poster nothing, so these refunds could otherwise stop all others.
 */
export async function overCap(
  { config }: { config: Pick<Deps['config'], 'payoutCaps'> },
  tx: Tx,
  payout: PayoutRow,
  now: Date,
): Promise<Hold | null> {
  if (payout.released) return null;
  const { perTransferMicro, perDayMicro } = config.payoutCaps;
  if (payout.amountMicro > perTransferMicro) return { note: 'over the cap of one transfer', until: null };
  if (!usesRoom(payout, now)) return null;
  // No day has room for it, so it would be held again every day.
  if (payout.amountMicro > perDayMicro) return { note: 'over the daily cap', until: null };
  await lockCaps(tx);
  const windowStart = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const sent = await sentSince(tx, new Date(windowStart), payout);
  const perPartyMicro = Math.max(Math.floor(perDayMicro / PARTIES), perTransferMicro);
  const note = noteOf(payout.amountMicro, sent, { perDayMicro, perPartyMicro });
  return note === null ? null : { note, until: new Date(windowStart + DAY_MS) };
}

/** Whether a payout uses room in a daily cap, so that the one that is claimed first may keep another from being sent. */
export function usesRoom({ released, depositedAt }: PayoutRow, now: Date): boolean {
  return !released && (depositedAt === null || now.getTime() - depositedAt.getTime() > DAY_MS);
}

function noteOf(
  amountMicro: number,
  { allMicro, toPayeeMicro, forPosterMicro }: Awaited<ReturnType<typeof sentSince>>,
  { perDayMicro, perPartyMicro }: { perDayMicro: number; perPartyMicro: number },
): string | null {
  if (allMicro + amountMicro > perDayMicro) return 'over the daily cap';
  if (toPayeeMicro + amountMicro > perPartyMicro) return 'over the daily cap of one recipient';
  if (forPosterMicro + amountMicro > perPartyMicro) return 'over the daily cap of one poster';
  return null;
}
