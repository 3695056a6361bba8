import type { PayoutState } from './queries.ts';

export type PayoutStatus = 'waiting_for_wallet' | 'held' | 'pending' | 'settled';

const SHOWN: Record<PayoutState, PayoutStatus> = {
  waiting: 'waiting_for_wallet',
  held: 'held',
  ready: 'pending',
  sending: 'pending',
  settled: 'settled',
};

/** What agents and posters are told of a payout's state. */
export function payoutStatus(payout: { state: PayoutState }): PayoutStatus {
  return SHOWN[payout.state];
}

const WORST_FIRST: PayoutStatus[] = ['waiting_for_wallet', 'held', 'pending', 'settled'];

/** Of several: the one that is furthest from settled; null without any. */
export function worstStatus(payouts: { state: PayoutState }[]): PayoutStatus | null {
  const statuses = new Set(payouts.map(payoutStatus));
  return WORST_FIRST.find((status) => statuses.has(status)) ?? null;
}
