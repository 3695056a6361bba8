import type { Deps } from '../deps.ts';
import { lockCaps, sentSince } from './cap-queries.ts';
import type { PayoutRow } from './queries.ts';
import type { Tx } from '../db/database.ts';

const DAY_MS = 86_400_000;
/** One poster or one payee gets at most this part of the day's cap. */
const PARTIES = 10;

/** Why a payout must wait. `until`: when it resumes by itself; null if only the operator can release it. */
export type Hold = { note: string; until: Date | null };

/** A payout, or an amount that it takes along, as it counts in a cap. */
type Counted = Pick<
  PayoutRow,
  'kind' | 'recipient' | 'posterId' | 'submissionId' | 'amountMicro' | 'released' | 'depositedAt'
> & {
  /** Absent for an amount that is taken along: no cap held it. */
  createdAt?: Date;
};

/** The room in the caps of a day. `take` uses it up. */
export type Room = { whyNot(payout: PayoutRow): Hold | null; take(counted: Counted[]): void };

/**
 * Reads the room for payouts that the caller claims in the same transaction. Locks the caps, and forms their sums once, if
 * any of the payouts uses room.
 *
 * Refunds have a daily cap of their own. A refund of a deposit that is less than a day old uses no room in it:
 * publishing and canceling costs a poster little, so these refunds could otherwise stop all others. What was owed before
 * the day gets at most half of it: amounts that were held could otherwise stop all new ones, day after day.
 */
export async function lockRoom(
  { config }: { config: Pick<Deps['config'], 'payoutCaps'> },
  tx: Tx,
  payouts: PayoutRow[],
  now: Date,
): Promise<Room> {
  const { perTransferMicro, perDayMicro } = config.payoutCaps;
  const perPartyMicro = Math.max(Math.floor(perDayMicro / PARTIES), perTransferMicro);
  const windowStart = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  // Not less than one transfer, so that each of them can be sent some day.
  const olderMicro = Math.max(Math.floor(perDayMicro / 2), perTransferMicro);
  const sent = await readSent(tx, payouts, now, new Date(windowStart));

  function whyFull(payout: PayoutRow): string | null {
    const { allMicro, toPayeeMicro, forPosterMicro, ofOlderMicro } = sent.of(payout);
    if (allMicro + payout.amountMicro > perDayMicro) return 'over the daily cap';
    if (toPayeeMicro + payout.amountMicro > perPartyMicro) return 'over the daily cap of one recipient';
    if (forPosterMicro + payout.amountMicro > perPartyMicro) return 'over the daily cap of one poster';
    if (ofOlderMicro !== null && ofOlderMicro + payout.amountMicro > olderMicro)
      return 'over the half of the daily cap for earlier days';
    return null;
  }

  return {
    whyNot(payout) {
      if (payout.released) return null;
      if (payout.amountMicro > perTransferMicro) return { note: 'over the cap of one transfer', until: null };
      if (!usesRoom(payout, now)) return null;
      // No day has room for it, so it would be held again every day.
      if (payout.amountMicro > perDayMicro) return { note: 'over the daily cap', until: null };
      const note = whyFull(payout);
      return note === null ? null : { note, until: new Date(windowStart + DAY_MS) };
    },
    take(counted) {
      for (const one of counted) if (usesRoom(one, now)) sent.add(one);
    },
  };
}

/** Whether a payout uses room in a daily cap. The statement of `sentSince` counts the same ones. */
function usesRoom({ released, depositedAt }: Counted, now: Date): boolean {
  return !released && (depositedAt === null || now.getTime() - depositedAt.getTime() > DAY_MS);
}

/**
 * The poster whose room a payout uses. An entry fee that goes back belongs to its entrant: the refund of a prize would
 * otherwise stop those of its entrants until the next day. The statement of `sentSince` says the same.
 */
function posterOf({ kind, submissionId, posterId }: Counted): string | null {
  return kind === 'refund' && submissionId !== null ? null : posterId;
}

/** The sums that were sent in the window, for these payouts. */
async function readSent(tx: Tx, payouts: PayoutRow[], now: Date, since: Date) {
  const counted = payouts.filter((payout) => usesRoom(payout, now));
  const sums = new Map<string, number>();
  const keysOf = ({
    givesBack,
    recipient,
    posterId,
    isOlder,
  }: { givesBack: boolean; isOlder: boolean } & Pick<Counted, 'recipient' | 'posterId'>) => ({
    all: `${givesBack}`,
    payee: `${givesBack} to ${recipient}`,
    poster: posterId === null ? null : `${givesBack} for ${posterId}`,
    older: isOlder ? `${givesBack} of earlier days` : null,
  });
  const keysOfPayout = (payout: Counted) =>
    keysOf({
      givesBack: payout.kind === 'refund' || payout.kind === 'return',
      recipient: payout.recipient,
      posterId: posterOf(payout),
      isOlder: payout.createdAt !== undefined && payout.createdAt < since,
    });
  const read = (key: string | null) => (key === null ? 0 : (sums.get(key) ?? 0));
  if (counted.length > 0) {
    await lockCaps(tx);
    const rows = await sentSince(tx, since, {
      recipients: counted.flatMap(({ recipient }) => recipient ?? []),
      posterIds: counted.flatMap((payout) => posterOf(payout) ?? []),
    });
    for (const row of rows) {
      const { all, payee, poster, older } = keysOf(row);
      sums.set(row.recipient !== null ? payee : (poster ?? older ?? all), row.micro);
    }
  }
  return {
    of(payout: Counted) {
      const { all, payee, poster, older } = keysOfPayout(payout);
      return {
        allMicro: read(all),
        toPayeeMicro: read(payee),
        forPosterMicro: read(poster),
        /** Null for a payout of this window. */
        ofOlderMicro: older === null ? null : read(older),
      };
    },
    add(payout: Counted) {
      for (const key of Object.values(keysOfPayout(payout)))
        if (key !== null) sums.set(key, read(key) + payout.amountMicro);
    },
  };
}
