import { forLocale } from '../messages/public.ts';

const MICRO = 1_000_000;

const formatter = (options: Intl.NumberFormatOptions) => forLocale((locale) => new Intl.NumberFormat(locale, options));
const whole = formatter({ maximumFractionDigits: 0 });
const cents = formatter({ minimumFractionDigits: 2, maximumFractionDigits: 2 });
const twoDigits = formatter({ maximumFractionDigits: 2 });
const exact = formatter({ minimumFractionDigits: 2, maximumFractionDigits: 6 });
const typed = formatter({ useGrouping: false, maximumFractionDigits: 6 });
const percents = formatter({ style: 'percent', maximumFractionDigits: 1 });
const shares = formatter({ style: 'percent', maximumFractionDigits: 4 });

/** Formats micro-USDC as USDC with two decimals, or up to six if the amount has fractions of a cent. */
export function usdc(micro: number): string {
  return (micro % 10_000 === 0 ? cents() : exact()).format(micro / MICRO);
}

/** Like `usdc`, without `.00`. */
export function shortUsdc(micro: number): string {
  return micro % MICRO === 0 ? whole().format(micro / MICRO) : usdc(micro);
}

/** Converts decimal USDC to micro-USDC. */
export function microOf(amountUsdc: number): number {
  return Math.round(amountUsdc * MICRO);
}

export function decimal(value: number): string {
  return twoDigits().format(value);
}

/** Formats a percentage from 0 to 100. */
export function percent(value: number): string {
  return percents().format(value / 100);
}

/** Formats a share from 0 to 1 as an exact percentage. */
export function share(value: number): string {
  return shares().format(value);
}

export function count(value: number): string {
  return whole().format(value);
}

/** Formats a number for an input: `decimalText` reads it again. */
export function numberText(value: number): string {
  return typed().format(value);
}

const STEPS = [
  { bytes: 1_000_000, format: formatter({ style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 }) },
  { bytes: 1_000, format: formatter({ style: 'unit', unit: 'kilobyte', maximumFractionDigits: 1 }) },
  { bytes: 1, format: formatter({ style: 'unit', unit: 'byte', unitDisplay: 'long' }) },
];

/** Formats the size of a file, for example `3.5 MB`. */
export function bytes(size: number): string {
  const { bytes: unit, format } = STEPS.find((each) => size >= each.bytes) ?? { ...STEPS[2], bytes: 1 };
  return format?.().format(size / unit) ?? String(size);
}

type Original = { width: number; height: number; content_type: string; size_bytes: number };

/** Formats what a poster asks about a picture, for example `1500 × 1000 px, JPEG, 149 kB`. */
export function pictureFacts({ width, height, content_type: type, size_bytes: size }: Original): string {
  return `${width} × ${height} px, ${type.replace('image/', '').toUpperCase()}, ${bytes(size)}`;
}
