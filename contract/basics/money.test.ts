import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { MAX_AMOUNT_MICRO, parseUsdc, usdcBound, usdcNumber } from './money.ts';

const micro = fc.integer({ min: 0, max: MAX_AMOUNT_MICRO });

/** Six decimals, written digit by digit: no float is involved. */
function decimalText(amountMicro: number): string {
  const digits = String(amountMicro).padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

describe('a USDC amount', () => {
  it('reads every microdollar exactly, as text and as a number', () => {
    fc.assert(
      fc.property(micro, (amountMicro) => {
        const text = decimalText(amountMicro);
        assert.equal(parseUsdc(text), amountMicro);
        assert.equal(parseUsdc(Number(text)), amountMicro);
        assert.equal(parseUsdc(text.replace(/\.?0+$/, '')), amountMicro);
      }),
      { numRuns: 5000 },
    );
  });

  it('shows a number that reads back as the same microdollars', () => {
    fc.assert(
      fc.property(micro, (amountMicro) => {
        assert.equal(parseUsdc(usdcNumber(amountMicro)), amountMicro);
      }),
      { numRuns: 5000 },
    );
  });

  it('refuses what is negative, too large or no plain decimal', () => {
    const refused = [
      '',
      ' ',
      '-1',
      '0x10',
      '1,5',
      '.',
      'e5',
      '1e',
      '1e-7',
      '1e7',
      '1e999',
      '-.5',
      '--1',
      '1 ',
      'NaN',
      'Infinity',
      '١',
      '1000000.000001',
      '9'.repeat(40),
    ];
    for (const value of [...refused, -1, -0.000001, 1e-7, 1e21, 0.1 + 0.2, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.equal(parseUsdc(value), null, String(value));
    }
    assert.equal(parseUsdc('1000000'), MAX_AMOUNT_MICRO);
    assert.equal(parseUsdc(0.000001), 1);
    assert.equal(parseUsdc(-0), 0);
  });
});

describe('the formats of numbers', () => {
  /** An amount in every way in which a client may write it. */
  const spellings = (amountMicro: number): string[] => {
    const plain = decimalText(amountMicro);
    const [whole, decimals] = plain.split('.');
    const short = plain.replace(/\.?0+$/, '');
    return [
      plain,
      short,
      String(amountMicro / 1e6),
      JSON.stringify(amountMicro / 1e6),
      `0${plain}`,
      `+${plain}`,
      ` ${plain}`,
      `${amountMicro}e-6`,
      `${amountMicro}E-06`,
      `${amountMicro}.0e-6`,
      `${plain}e0`,
      `${plain}e+00`,
      `${plain}e 0`,
      `.${whole}${decimals}e${whole!.length}`,
      (amountMicro / 1e6).toExponential(),
      ...(whole === '0' ? [`.${decimals}`] : []),
      ...(decimals === '000000' ? [`${whole}.`] : []),
    ];
  };

  it('are read alike, whichever a client uses', () => {
    fc.assert(
      fc.property(micro, (amountMicro) => {
        for (const text of spellings(amountMicro)) {
          assert.equal(parseUsdc(text), amountMicro, text);
          assert.equal(usdcBound.parse(text), amountMicro, text);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('give the exact value or nothing, compared with whole-number arithmetic', () => {
    const part = fc.tuple(
      fc.stringMatching(/^\d{0,8}$/),
      fc.stringMatching(/^\d{0,9}$/),
      fc.option(fc.integer({ min: -12, max: 12 })),
    );
    fc.assert(
      fc.property(part, ([whole, decimals, exponent]) => {
        const text = `${whole}${decimals === '' ? '' : `.${decimals}`}${exponent === null ? '' : `e${exponent}`}`;
        const digits = BigInt(`0${whole}${decimals}`);
        // digits × 10^(6 + exponent − decimals), multiplied by 10^21 so that no power is negative.
        const scaled = digits * 10n ** BigInt(27 + (exponent ?? 0) - decimals.length);
        const exact = scaled % 10n ** 21n === 0n ? Number(scaled / 10n ** 21n) : null;
        const valid = whole !== '' || decimals !== '';
        const tooLong = exponent === null && decimals.length > 6;
        const expected = valid && !tooLong && exact !== null && exact <= MAX_AMOUNT_MICRO ? exact : null;
        assert.equal(parseUsdc(text), expected, text);
      }),
      { numRuns: 5000 },
    );
  });

  it('let a bound exceed every amount', () => {
    for (const text of ['1000000.000001', '5e6', '1e30', '1e999', '9'.repeat(40)])
      assert.ok(usdcBound.parse(text) > MAX_AMOUNT_MICRO, text);
    for (const text of ['-1', 'abc', '', '1e-7', 'NaN', 'inf']) assert.ok(!usdcBound.safeParse(text).success, text);
  });
});
