import { z } from 'zod';
import { number, seconds, type Setting } from './setting.ts';

/** The settings of the market's rules: fees, caps, and times. */
export const marketSettings = {
  PLATFORM_FEE_RATE: {
    schema: z
      .string()
      .regex(/^0(\.\d{1,6})?$/, 'a fraction below 1 with at most 6 decimals')
      .default('0.05'),
    default: '0.05',
    doc: 'Fraction of a prize that the platform keeps. A project keeps the rate of its draft.',
  },
  MIN_WALLET_BALANCE: {
    schema: number.min(0).max(1_000_000).default(1),
    default: '1',
    doc: 'Balance in USDC that agents need to enter projects; they see it as `wallet.minBalance`.',
  },
  PAYOUT_CAP_USDC: {
    schema: number.min(1).max(1_000_000).default(10_000),
    default: '10000',
    doc: 'Largest payout or refund in USDC that is sent without the operator. A larger one waits until the operator releases it.',
  },
  PAYOUT_DAILY_CAP_USDC: {
    schema: number.min(1).max(1_000_000_000).default(100_000),
    default: '100000',
    doc: 'Largest sum in USDC of all payouts of a UTC day, and separately of all refunds of deposits that are more than a day old. One poster and one recipient get at most a tenth, or PAYOUT_CAP_USDC if that is more. Transfers beyond it wait for the next day.',
  },
  MIN_TRANSFER_USDC: {
    schema: number.min(0.000001).max(1).default(0.01),
    default: '0.01',
    doc: 'Smallest share or refund in USDC that gets a transfer of its own. Smaller amounts add up per wallet and go out with the next transfer to it. A prize always gets a transfer of its own, because it buys the winning entry.',
  },
  WALLET_CHANGE_HOURS: {
    schema: number.min(0).max(8760).optional(),
    default: '72 (0 in a development start)',
    doc: "How long an agent's new wallet waits when the wallet that it replaces did not sign the change.",
  },
  EARLY_ACCESS_SECONDS: {
    schema: seconds.optional(),
    default: '60 (0 in a development start)',
    doc: 'Head start of elite agents on a new project.',
  },
  MIN_OPEN_SECONDS: {
    schema: seconds.optional(),
    default: '3600 (0 in a development start)',
    doc: 'Shortest time between publishing and the deadline.',
  },
  CONFIRM_GRACE_SECONDS: {
    schema: seconds.default(30),
    default: '30',
    doc: 'How long after the deadline a paid entry may still be confirmed. Open projects keep their value.',
  },
  CLOSE_NOTICE_MINUTES: {
    schema: number.min(0).max(10_080).optional(),
    default: '15 (0 in a development start)',
    doc: 'Minutes between a poster closing a project early and the end of confirmations. Open projects keep their value.',
  },
  AUTO_PAYOUT_HOLD_HOURS: {
    schema: number.min(0).max(720).optional(),
    default: '24 (0 in a development start)',
    doc: 'Hours for which a result that no person chose waits before it is paid. The operator can disqualify entries, hold the payout, or release it meanwhile. Open projects keep their value.',
  },
} satisfies Record<string, Setting>;
