import { z } from 'zod';

/** 1 USDC = 1,000,000 microdollars. */
export const MICRO_PER_USDC = 1_000_000;

/** The highest amount that any operation accepts: 1,000,000 USDC, in microdollars. */
export const MAX_AMOUNT_MICRO = 1_000_000 * MICRO_PER_USDC;

const DECIMALS = 6;
const TOO_MANY_DECIMALS = /^\D?\d*\.\d{7,}$/;

/**
 * Parses a decimal USDC amount as integer microdollars, without passing through a float.
 *
 * @param value a number or numeric text, at most 6 decimal places, not negative, at most 1,000,000 USDC
 * @returns microdollars, or `null` when the value is anything else
 * @example parseUsdc('0.25') // 250000
 */
export function parseUsdc(value: number | string): number | null {
  const micro = microOf(value);
  return micro !== null && micro <= MAX_AMOUNT_MICRO ? Number(micro) : null;
}

/** Returns null unless the value is a number of at most 6 decimal places that is not negative. */
function microOf(value: number | string): bigint | null {
  const text = String(value);
  return TOO_MANY_DECIMALS.test(text) ? null : scaledDecimal(text, DECIMALS);
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

const usdc = (parse: (value: number | string) => number | null, message: string) =>
  z
    .union([z.number(), z.string()], { error: ({ input }) => (input === undefined ? 'required' : message) })
    .transform((value, ctx) => {
      const micro = parse(value);
      if (micro !== null) return micro;
      ctx.addIssue({ code: 'custom', message, input: value });
      return z.NEVER;
    });

/** A decimal USDC amount in a request, parsed to integer microdollars. */
export const usdcAmount = usdc(parseUsdc, 'a USDC amount: 0 to 1000000, at most 6 decimal places').meta({
  description: 'USDC, decimals allowed (at most 6), 0 to 1000000',
  minimum: 0,
  maximum: 1_000_000,
});

/** A bound on USDC amounts in a query, in microdollars. It may exceed every amount: a statement takes its `safeMicro`. */
export const usdcBound = usdc((value) => {
  const micro = microOf(value);
  return micro === null ? null : Number(micro);
}, 'a USDC amount: 0 or more, at most 6 decimal places').meta({
  description: 'USDC, decimals allowed (at most 6), 0 or more',
  minimum: 0,
});

export const safeMicro = (bound: number) => Math.min(bound, Number.MAX_SAFE_INTEGER);

/** Integer microdollars in an answer. */
export const microAmount = z.int().meta({ description: 'USDC microdollars (1 USDC = 1000000)' });

/** The progress of a payout: `pending` is being sent, `held` waits for the operator. */
export const payoutStatus = z.enum(['waiting_for_wallet', 'held', 'refused', 'pending', 'settled']).meta({
  description:
    'waiting_for_wallet, held (for the operator), refused (USDC accepts no transfer to the wallet), pending, or settled on chain',
});

// As JSON, JavaScript, and Python write numbers: 5, 5.0, .5, 1e-05, 1e+16. A query string turns an unescaped `+` into a space.
const DECIMAL = /^[+ ]?(?:(\d{1,40})\.?(\d{0,40})|\.(\d{1,40}))(?:e([+ -]?\d{1,3}))?$/i;
const MOST_DIGITS = 60;

/**
 * Reads a decimal number that is not negative and multiplies it with a power of ten, without passing through a float.
 *
 * @returns null when the text is no number, or the product is not whole
 * @example scaledDecimal('1e-05', 6) // 10n
 */
export function scaledDecimal(text: string, power: number): bigint | null {
  const match = DECIMAL.exec(text);
  if (!match) return null;
  const [, whole = '', decimals = match[3] ?? '', , exponent = '0'] = match;
  const digits = (whole + decimals).replace(/^0+/, '');
  if (digits === '') return 0n;
  const zeros = /0*$/.exec(digits)?.[0].length ?? 0;
  const significant = digits.slice(0, digits.length - zeros);
  const shift = zeros - decimals.length + Number(exponent.replace(' ', '')) + power;
  if (shift < 0) return null;
  // A larger number is beyond every bound. Its exact value does not matter.
  return BigInt(significant + '0'.repeat(Math.min(shift, MOST_DIGITS)));
}
