const MICRO_PER_USDC = 1_000_000;

/** Returns microdollars as USDC, such as `0.25`. */
export function usdc(micro: number): string {
  return (micro / MICRO_PER_USDC).toFixed(6).replace(/(\.\d\d\d*?)0+$/, '$1');
}

/** Returns a time as `2026-11-23 12:00Z`. */
export function time(iso: string | null): string | null {
  return iso === null ? null : `${iso.slice(0, 16).replace('T', ' ')}Z`;
}
