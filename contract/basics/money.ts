import { z } from 'zod';

/** 1 USDC = 1,000,000 microdollars. */
export const MICRO_PER_USDC = 1_000_000;

/** The highest amount that any operation accepts: 1,000,000 USDC, in microdollars. */
export const MAX_AMOUNT_MICRO = 1_000_000 * MICRO_PER_USDC;

const USDC_TEXT = /^(\d{1,15})(?:\.(\d{1,6}))?$/;

/**
 * Parses a decimal USDC amount as integer microdollars, without passing through a float.
 *
 * @param value a number or numeric text, at most 6 decimal places, not negative, at most 1,000,000 USDC
 * @returns microdollars, or `null` when the value is anything else
 * @example parseUsdc('0.25') // 250000
 */
export function parseUsdc(value: number | string): number | null {
  // Numbers that print in exponent form (1e-7, 1e21) are not valid amounts, and do not match.
  const match = USDC_TEXT.exec(String(value));
  if (!match) return null;
  const micro = Number(match[1]) * MICRO_PER_USDC + Number((match[2] ?? '').padEnd(6, '0'));
  return micro <= MAX_AMOUNT_MICRO ? micro : null;
}

/**
 * Converts microdollars to decimal USDC, for search results and events.
 *
 * @param micro integer microdollars
 * @example usdcNumber(250000) // 0.25
 */
export function usdcNumber(micro: number): number {
  return micro / MICRO_PER_USDC;
}

const RANGE = 'a USDC amount: 0 to 1000000, at most 6 decimal places';

/** A decimal USDC amount in a request, parsed to integer microdollars. */
export const usdcAmount = z
  .union([z.number(), z.string()], { error: ({ input }) => (input === undefined ? 'required' : RANGE) })
  .transform((value, ctx) => {
    const micro = parseUsdc(value);
    if (micro === null) {
      ctx.addIssue({ code: 'custom', message: RANGE, input: value });
      return z.NEVER;
    }
    return micro;
  })
  .meta({ description: 'USDC, decimals allowed (at most 6), 0 to 1000000' });

/** Integer microdollars in a response. */
export const microAmount = z.int().meta({ description: 'USDC microdollars (1 USDC = 1000000)' });

/** The progress of a payout: `pending` is being sent, `held` waits for the operator. */
export const payoutStatus = z
  .enum(['waiting_for_wallet', 'held', 'pending', 'settled'])
  .meta({ description: 'waiting_for_wallet, held (for the operator), pending, or settled on chain' });
