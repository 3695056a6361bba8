import { microOf, type Usdc } from '../money.ts';
import type { BriefBody } from '../wire.ts';

/** A brief. What may be missing has a default. */
export type Brief = Omit<BriefBody, 'prize_amount' | 'entry_fee' | 'auto_select_deadline'> & {
  /** Decimal USDC, at least 1. */
  prize_amount: Usdc;
  /** Decimal USDC; 0 makes entering free. */
  entry_fee: Usdc;
  auto_select_deadline: string | Date;
};

/** A copy has a prize, a fee, and a deadline of its own. Other fields replace those of the original. */
export type Copy = Pick<Brief, 'prize_amount' | 'entry_fee' | 'auto_select_deadline'> & Partial<Brief>;

/** Returns the body of a request. Its amounts are numbers. @throws ConcoursError VALIDATION_ERROR */
export function bodyOf({ prize_amount: prize, entry_fee: fee, ...rest }: Partial<Brief>): Record<string, unknown> {
  return {
    ...rest,
    ...(prize === undefined ? {} : { prize_amount: microOf(prize, 'prize_amount') / 1e6 }),
    ...(fee === undefined ? {} : { entry_fee: microOf(fee, 'entry_fee') / 1e6 }),
  };
}
