import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { z } from 'zod';
import { integerText } from './integer-text.ts';
import { parseIsoDate } from './iso-date.ts';
import { MAX_AMOUNT_MICRO, parseUsdc, usdcBound, usdcNumber } from './money.ts';
import { specializationIds, text, uuid, walletAddress } from './text.ts';

const micro = fc.integer({ min: 0, max: MAX_AMOUNT_MICRO });

/** Six decimals, written digit by digit: no float is involved. */
function decimalText(amountMicro: number): string {
  const digits = String(amountMicro).padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

describe('a USDC amount', () => {
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
        for (const written of spellings(amountMicro)) {
          assert.equal(parseUsdc(written), amountMicro, written);
          assert.equal(usdcBound.parse(written), amountMicro, written);
        }
        assert.equal(parseUsdc(Number(decimalText(amountMicro))), amountMicro);
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
        const written = `${whole}${decimals === '' ? '' : `.${decimals}`}${exponent === null ? '' : `e${exponent}`}`;
        const digits = BigInt(`0${whole}${decimals}`);
        // digits × 10^(6 + exponent − decimals), multiplied by 10^21 so that no power is negative.
        const scaled = digits * 10n ** BigInt(27 + (exponent ?? 0) - decimals.length);
        const exact = scaled % 10n ** 21n === 0n ? Number(scaled / 10n ** 21n) : null;
        const valid = whole !== '' || decimals !== '';
        const tooLong = exponent === null && decimals.length > 6;
        const expected = valid && !tooLong && exact !== null && exact <= MAX_AMOUNT_MICRO ? exact : null;
        assert.equal(parseUsdc(written), expected, written);
      }),
      { numRuns: 5000 },
    );
  });

  it('let a bound exceed every amount', () => {
    for (const written of ['1000000.000001', '5e6', '1e30', '1e999', '9'.repeat(40)])
      assert.ok(usdcBound.parse(written) > MAX_AMOUNT_MICRO, written);
    for (const written of ['-1', 'abc', '', '1e-7', 'NaN', 'inf'])
      assert.ok(!usdcBound.safeParse(written).success, written);
  });

  it('hold for whole numbers between bounds, too', () => {
    const limit = integerText(1, 50, '1 to 50');
    for (const written of ['1', '1.0', '1e0', '+1', ' 1', '01']) assert.equal(limit.parse(written), 1, written);
    for (const written of ['1.5', '5e1x', '', '51', '1e2', '-1', '0']) assert.ok(!accepts(limit, written), written);
  });
});

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;

it('an ISO 8601 date-time is read in the extended and the basic form, in the years 1 to 9999', () => {
  const noon = '2026-11-30T12:00:00.000Z';
  const table: [string, string | null][] = [
    ['2026-11-30T12:00:00.000Z', noon],
    ['2026-11-30t12:00z', noon],
    ['2026-11-30T12:00', noon],
    ['2026-11-30T12:00:00+00', noon],
    ['2026-11-30T14:00:00+0200', noon],
    ['2026-11-30T14:00:00 02', noon],
    ['2026-11-30T14:00:00 02:00', noon],
    ['2026-11-30T06:30:00-05:30', noon],
    ['20261130T120000Z', noon],
    ['20261130T1200+0000', noon],
    ['2026-11-30T12:00:00,5Z', '2026-11-30T12:00:00.500Z'],
    ['2026-11-30T12:00:00.123456789Z', '2026-11-30T12:00:00.123Z'],
    ['2026-11-30', '2026-11-30T00:00:00.000Z'],
    ['20261130', '2026-11-30T00:00:00.000Z'],
    ['2026-11-29T24:00:00Z', '2026-11-30T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999-00:01', null],
    ['0001-01-01T00:00:00+00:01', null],
    ['2026-02-30', null],
    ['20260230T120000Z', null],
    ['2026-1130', null],
    ['2026-11-30T12:0000Z', null],
    ['2026-11-30T25:00Z', null],
    ['2026-11-30T12:00:00+25', null],
    ['2026-11-30T12:00:00,Z', null],
    ['2026-11-30 12', null],
    ['12345', null],
    ['', null],
  ];
  for (const [written, expected] of table)
    assert.equal(parseIsoDate(written)?.toISOString() ?? null, expected, written);
});

it('text is trimmed and counted in characters, not in the units that they are stored in', () => {
  const title = text(3, 200);
  assert.equal(title.parse('  abc\n'), 'abc');
  for (const good of ['abc', '🗼🗼🗼', 'x'.repeat(200), '🗼'.repeat(200), `${'x'.repeat(199)}🗼`])
    assert.ok(accepts(title, good), good.slice(0, 10));
  const tooLong = ['x'.repeat(201), '🗼'.repeat(201), 'x'.repeat(100_000)];
  for (const bad of ['', 'ab', ' ab ', '🗼🗼', '🗼a', ...tooLong, 7, null])
    assert.ok(!accepts(title, bad), String(bad).slice(0, 10));
  const optional = text(0, 10);
  for (const good of ['', '🗼'.repeat(10)]) assert.ok(accepts(optional, good), good);
  assert.ok(!accepts(optional, 'x'.repeat(11)));
});

describe('what names things', () => {
  it('is read in any letter case and kept in one', () => {
    assert.equal(uuid.parse('01A1FD68-1A1D-7B89-B14D-8A21A36746C2'), '01a1fd68-1a1d-7b89-b14d-8a21a36746c2');
    assert.equal(walletAddress.parse(`0x${'Ab'.repeat(20)}`), `0x${'ab'.repeat(20)}`);
    for (const bad of ['', '0x', `0x${'a'.repeat(39)}`, `0x${'g'.repeat(40)}`, ` 0x${'a'.repeat(40)}`, 'a'.repeat(42)])
      assert.ok(!accepts(walletAddress, bad), bad);
  });

  it('of specializations has both spellings and counts each once', () => {
    assert.deepEqual(specializationIds.parse(['Logo_Design', ' logo-design ', 'icon-design']), [
      'logo-design',
      'icon-design',
    ]);
    assert.ok(!accepts(specializationIds, []) && !accepts(specializationIds, ['a', 'b', 'c', 'd', 'e', 'f']));
    assert.ok(accepts(specializationIds, ['a', 'b', 'c', 'd', 'e', 'A', 'b']));
  });
});
