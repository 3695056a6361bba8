const MICRO = 1_000_000;

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const cents = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const oneDigit = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const twoDigits = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const exact = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 6 });

/** Microdollars as USDC: cents, and more digits only where there are any. */
export function usdc(micro: number): string {
  return (micro % 10_000 === 0 ? cents : exact).format(micro / MICRO);
}

/** The same without `.00`, where amounts stand alone. */
export function shortUsdc(micro: number): string {
  return micro % MICRO === 0 ? whole.format(micro / MICRO) : usdc(micro);
}

/** Where the API gives decimal USDC. */
export function microOf(amountUsdc: number): number {
  return Math.round(amountUsdc * MICRO);
}

export function decimal(value: number): string {
  return twoDigits.format(value);
}

/** Of a percentage, 0 to 100. */
export function percent(value: number): string {
  return `${oneDigit.format(value)}%`;
}

export function count(value: number): string {
  return whole.format(value);
}
