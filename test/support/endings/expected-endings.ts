import { type Contestant, FUNDS_MICRO } from '../clients/contestants.ts';
import type { OpenProject } from '../clients/journey.ts';
import type { Fate } from './ending.ts';

// The amounts of test/journeys/ends.test.ts, and the endings of its projects.

/** An odd prize: neither the platform fee nor equal shares divide it evenly. */
export const PRIZE_MICRO = 10_000_001;
export const RECEIVES_MICRO = 9_500_000;
const PLATFORM_MICRO = PRIZE_MICRO - RECEIVES_MICRO;
export const FEE_MICRO = 250_001;
export const LEFT_MICRO = FUNDS_MICRO - FEE_MICRO;

/** The end of a project with one winner and `fees` paid entry fees. */
export const won = (project: OpenProject, winner: Contestant, fees: number) => ({
  project,
  status: 'completed' as const,
  winner: winner.submissionId,
  prizeMicro: PRIZE_MICRO,
  feesMicro: Array.from({ length: fees }, () => FEE_MICRO),
  payoutsMicro: [RECEIVES_MICRO],
  refundsMicro: [],
  platformFeeMicro: PLATFORM_MICRO,
  feesKeptMicro: fees * FEE_MICRO,
});

/** The end of a canceled project: every payer gets the full amount back. */
export const givenBack = (project: OpenProject, cancelReason: string, fees: number) => {
  const feesMicro = Array.from({ length: fees }, () => FEE_MICRO);
  return {
    project,
    status: 'cancelled' as const,
    selection: null,
    winner: null,
    cancelReason,
    prizeMicro: PRIZE_MICRO,
    feesMicro,
    payoutsMicro: [],
    refundsMicro: [PRIZE_MICRO, ...feesMicro],
    platformFeeMicro: 0,
    feesKeptMicro: 0,
  };
};

export const lost = (who: Contestant, rank: number): Fate => ({ who, status: 'lost', rank });
export const noEntry = (who: Contestant): Fate => ({ who, status: null });
export const wallet = ({ payer }: Contestant, micro: number): [string, number] => [payer.address, micro];
