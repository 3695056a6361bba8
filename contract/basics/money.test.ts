import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { MAX_AMOUNT_MICRO, parseUsdc, usdcAmount, usdcNumber } from './money.ts';

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

  it('refuses a seventh decimal, whatever it is', () => {
    fc.assert(
      fc.property(micro, fc.integer({ min: 0, max: 9 }), (amountMicro, digit) => {
        assert.equal(parseUsdc(`${decimalText(amountMicro)}${digit}`), null);
      }),
    );
  });

  it('refuses what is negative, too large or no plain decimal', () => {
    const refused = [
      '',
      ' ',
      '-1',
      '+1',
      '1e3',
      '0x10',
      '1,5',
      '.5',
      '5.',
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

  it('never throws and never gives a fraction, whatever comes', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double(), fc.jsonValue()), (value) => {
        const parsed = usdcAmount.safeParse(value);
        if (parsed.success)
          assert.ok(Number.isSafeInteger(parsed.data) && parsed.data >= 0 && parsed.data <= MAX_AMOUNT_MICRO);
      }),
      { numRuns: 5000 },
    );
  });
});
