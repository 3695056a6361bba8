// The rules of a fair market about who gets what, written a second time and without the service. The model compares the
// service with them.

/** The facts that decide the result of a project. Amounts are microdollars. */
export type Contest = {
  prizeMicro: number;
  feePpm: number;
  entryFeeMicro: number;
  /** In the order of their confirmation. */
  entries: Entry[];
};

export type Entry = {
  id: string;
  /** The wallet that paid the entry fee; null in a free project. */
  payer: string | null;
  disqualified: boolean;
  /** Its picture has exactly the bytes of an earlier entry of the project. */
  isCopy: boolean;
};

/** How a prize is divided. The entry fees are apart: they are kept, or go back in full. */
export type Division = { shares: Map<string, number>; toPosterMicro: number; platformMicro: number };

/**
 * Whether the fee of an entry goes back when its project is canceled. Null: the service may keep the fee of an entry that was
 * never confirmed, or owe it back because it kept the agent from confirming.
 */
export function goesBack(
  { by, noWinner }: { by: 'poster' | 'operator' | 'timer'; noWinner: boolean },
  entry: { confirmed: boolean; poor: boolean },
): boolean | null {
  // The operator cancels, or the poster while nobody has entered: nobody could compete.
  if (!noWinner && by !== 'timer') return true;
  if (!entry.confirmed) return null;
  return !(noWinner && entry.poor);
}

/** The prize less the platform fee, rounded down. */
export function receivesOf({ prizeMicro, feePpm }: Pick<Contest, 'prizeMicro' | 'feePpm'>): number {
  return Number((BigInt(prizeMicro) * BigInt(1_000_000 - feePpm)) / 1_000_000n);
}

/** The entries that share a prize which nobody won: one for each wallet, and no copies. */
function sharingEntries({ entries }: Pick<Contest, 'entries'>): string[] {
  const counted = new Set<string>();
  const sharing: string[] = [];
  for (const { id, payer, disqualified, isCopy } of entries) {
    if (disqualified || isCopy || (payer !== null && counted.has(payer))) continue;
    if (payer !== null) counted.add(payer);
    sharing.push(id);
  }
  return sharing;
}

/** One entry gets everything but the platform fee. */
export function winnerTakesIt(contest: Contest, winnerId: string): Division {
  const receives = receivesOf(contest);
  return {
    shares: new Map([[winnerId, receives]]),
    toPosterMicro: 0,
    platformMicro: contest.prizeMicro - receives,
  };
}

/** The operator divides the whole prize less the platform fee, without caps. */
export function operatorShares(contest: Contest): Division {
  return divided(contest, Number.MAX_SAFE_INTEGER);
}

/**
 * Nobody judged. Each share is at most `capTimes` entry fees, and the poster gets the rest. Without an entry fee, the
 * poster gets everything but the platform fee.
 */
export function silence(contest: Contest, capTimes: number): Division {
  if (contest.entries.length === 0) return { shares: new Map(), toPosterMicro: contest.prizeMicro, platformMicro: 0 };
  return divided(contest, Math.floor(contest.entryFeeMicro * capTimes));
}

function divided(contest: Contest, capMicro: number): Division {
  const receives = receivesOf(contest);
  const sharing = sharingEntries(contest);
  const each = sharing.length === 0 ? 0 : Math.floor(receives / sharing.length);
  const rest = receives - each * sharing.length;
  // The remainder of the division goes to the earliest entry.
  const amounts = sharing.map((id, index) => [id, Math.min(capMicro, index === 0 ? each + rest : each)] as const);
  const shares = new Map(amounts.filter(([, micro]) => micro > 0));
  const shared = [...shares.values()].reduce((sum, micro) => sum + micro, 0);
  return { shares, toPosterMicro: receives - shared, platformMicro: contest.prizeMicro - receives };
}
