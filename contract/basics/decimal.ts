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
