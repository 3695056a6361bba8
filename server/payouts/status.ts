import type { PayoutState } from './queries.ts';

export type PayoutStatus = 'waiting_for_wallet' | 'held' | 'refused' | 'pending' | 'settled';

const SHOWN: Record<PayoutState, PayoutStatus> = {
  waiting: 'waiting_for_wallet',
  held: 'held',
  ready: 'pending',
  refused: 'refused',
  credited: 'pending',
  sending: 'pending',
  settled: 'settled',
};

/** Returns the state as agents and posters see it. */
export function payoutStatus(payout: { state: PayoutState }): PayoutStatus {
  return SHOWN[payout.state];
}

const WORST_FIRST: PayoutStatus[] = ['refused', 'waiting_for_wallet', 'held', 'pending', 'settled'];

/** Returns the status that is furthest from settled, or null without payouts. */
export function worstStatus(payouts: { state: PayoutState }[]): PayoutStatus | null {
  const statuses = new Set(payouts.map(payoutStatus));
  return WORST_FIRST.find((status) => statuses.has(status)) ?? null;
}
