const MICRO = 1_000_000;

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const cents = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const oneDigit = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const twoDigits = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const exact = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 6 });

/** Formats micro-USDC as USDC with two decimals, or up to six if the amount has fractions of a cent. */
export function usdc(micro: number): string {
  return (micro % 10_000 === 0 ? cents : exact).format(micro / MICRO);
}

/** Like `usdc`, without `.00`. */
export function shortUsdc(micro: number): string {
  return micro % MICRO === 0 ? whole.format(micro / MICRO) : usdc(micro);
}

/** Converts decimal USDC to micro-USDC. */
export function microOf(amountUsdc: number): number {
  return Math.round(amountUsdc * MICRO);
}

export function decimal(value: number): string {
  return twoDigits.format(value);
}

/** Formats a percentage from 0 to 100. */
export function percent(value: number): string {
  return `${oneDigit.format(value)}%`;
}

export function count(value: number): string {
  return whole.format(value);
}

const STEPS = [
  { unit: 'MB', bytes: 1_000_000 },
  { unit: 'KB', bytes: 1_000 },
] as const;

/** Formats the size of a file, for example `3.5 MB`. */
export function bytes(size: number): string {
  const step = STEPS.find((each) => size >= each.bytes);
  return step ? `${oneDigit.format(size / step.bytes)} ${step.unit}` : `${whole.format(size)} bytes`;
}
