import { microOf, type Usdc } from '../money.ts';
import type { Licence } from '../wire.ts';

/** A brief. Everything after the deadline has a default. */
export type Brief = {
  title: string;
  description: string;
  /** Decimal USDC, at least 1. */
  prize_amount: Usdc;
  /** Decimal USDC; 0 makes entering free. */
  entry_fee: Usdc;
  specializations: string[];
  auto_select_deadline: string | Date;
  requirements?: string;
  item_count?: number;
  style_references?: string[];
  color_preferences?: string[];
  size_requirements?: string;
  judging_hours?: number;
  tags?: string[];
  max_entries?: number | null;
  licence?: Licence;
  gallery?: 'public' | 'winner_only' | 'private';
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
