import { ConcoursError } from './errors.ts';

/** Decimal USDC with at most 6 decimals, such as `0.25` or `'0.25'`. */
export type Usdc = number | string;

const DECIMALS = 6;

/** Returns the microdollars of an amount, exactly. @throws ConcoursError VALIDATION_ERROR */
export function microOf(amount: Usdc, field: string): number {
  // Numbers below a millionth print as 1e-7, which no accepted amount does.
  const match = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(String(amount).replace(/^\./, '0.'));
  if (!match) {
    const message = 'decimal USDC with at most 6 decimals, such as 0.25';
    throw new ConcoursError('VALIDATION_ERROR', `${field}: ${message}`, { details: [{ field, message }] });
  }
  const [, whole = '0', fraction = ''] = match;
  return Number(`${whole}${fraction.padEnd(DECIMALS, '0')}`);
}

/** Returns microdollars as decimal USDC. */
export function usdcOf(micro: number): string {
  return String(micro / 10 ** DECIMALS);
}
