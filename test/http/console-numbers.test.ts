import assert from 'node:assert/strict';
import { afterEach, describe, it, mock } from 'node:test';
import type { Language } from '../../console/messages/public.ts';
import { fewValues } from '../../console/components/data/chart-data.ts';
import {
  count,
  decimalText,
  numberText,
  percent,
  timeOf,
  usdc,
  utcDayOf,
  utcMonthOf,
} from '../../console/format/public.ts';

/** The language of the page, and the variant of the browser. */
function use(language: Language, variant: string) {
  mock.method(navigator, 'languages', () => [variant], { getter: true });
  Object.assign(globalThis, { concoursLanguage: language });
}

afterEach(() => {
  mock.restoreAll();
  Object.assign(globalThis, { concoursLanguage: 'en' });
});

describe('a typed number', () => {
  const cases: [Language, string, [string, string][]][] = [
    [
      'en',
      'en-US',
      [
        ['1,000.5', '1000.5'],
        ['0,5', '0.5'],
        ['1,234', '1234'],
        ['1,23', '1.23'],
        ['0.000001', '0.000001'],
      ],
    ],
    [
      'de',
      'de-DE',
      [
        ['1.000,50', '1000.50'],
        ['0.500', '0.500'],
        ['1.234', '1234'],
        ['12,5', '12.5'],
        ['1.5', '1.5'],
      ],
    ],
    [
      'de',
      'de-CH',
      [
        ['1’000.50', '1000.50'],
        ["1'000.50", '1000.50'],
        ['2,5', '2.5'],
      ],
    ],
    [
      'fr',
      'fr-FR',
      [
        ['1 000,50', '1000.50'],
        ['1\u202F000,5', '1000.5'],
        ['3.25', '3.25'],
      ],
    ],
    [
      'es',
      'es-ES',
      [
        ['10.000,25', '10000.25'],
        ['1000', '1000'],
      ],
    ],
    [
      'zh',
      'zh-CN',
      [
        ['1,000.5', '1000.5'],
        [' 7 ', '7'],
      ],
    ],
  ];
  for (const [language, variant, pairs] of cases)
    it(`is read as ${variant} writes it`, () => {
      use(language, variant);
      for (const [typed, digits] of pairs) assert.equal(decimalText(typed), digits, typed);
    });

  it('keeps every digit, and leaves what is no number to the field', () => {
    use('de', 'de-DE');
    assert.equal(decimalText('9.007.199.254,740993'), '9007199254.740993');
    for (const wrong of ['', '1.00.0', '1,2,3', 'zehn', '1e3', '1.000.00', '5 €'])
      assert.equal(decimalText(wrong), wrong);
  });

  it('is read again as it was shown', () => {
    for (const [language, variant] of [
      ['en', 'en-GB'],
      ['de', 'de-AT'],
      ['fr', 'fr-CA'],
      ['es', 'es-MX'],
      ['zh', 'zh-CN'],
    ] as const) {
      use(language, variant);
      for (const value of [0, 0.000001, 12.5, 1234.56, 1_000_000])
        assert.equal(Number(decimalText(numberText(value))), value);
    }
  });
});

describe('values', () => {
  it('follow the language, in the variant of the browser', () => {
    use('de', 'de-DE');
    assert.deepEqual([usdc(1_234_567_890_000), usdc(1), count(12_345)], ['1.234.567,89', '0,000001', '12.345']);
    assert.equal(percent(12.34).replaceAll(/\s/g, ' '), '12,3 %');
    assert.match(timeOf('2026-11-23T12:00:00Z'), /2026/);
    use('en', 'en-GB');
    assert.match(timeOf('2026-11-23T12:00:00Z'), /^23 Nov 2026/);
    use('en', 'de-DE');
    assert.match(timeOf('2026-11-23T12:00:00Z'), /^Nov 23, 2026/);
  });
});

describe('a chart with few values', () => {
  const days = ['2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27'];
  const x = { label: 'Day', values: days, format: utcDayOf };
  const entries = (values: (number | null)[]) => ({ label: 'Entries', values, format: count });

  it('is a sentence for each place with a value, and drawn from three places on', () => {
    use('en', 'en-US');
    assert.deepEqual(fewValues({ x, series: [entries([0, null, 0, 0])] }), ['No values yet.']);
    assert.deepEqual(
      fewValues({ x, series: [entries([0, 1_200, 0, null]), { label: 'Wins', values: [0, 1, 0, 2], format: count }] }),
      ['Nov 25, 2026: Entries 1,200 · Wins 1', 'Nov 27, 2026: Wins 2'],
    );
    assert.equal(fewValues({ x, series: [entries([1, 0, 2, 3])] }), null);
    const names = { label: 'Category', values: ['Logo', 'Symbols'] };
    assert.deepEqual(fewValues({ x: names, series: [entries([3, 4])] }), ['Logo: Entries 3', 'Symbols: Entries 4']);
  });
});

describe('a month', () => {
  it('is written as the locale writes it', () => {
    use('en', 'en-US');
    assert.equal(utcMonthOf('2026-11'), 'November 2026');
    use('de', 'de-DE');
    assert.equal(utcMonthOf('2026-01'), 'Januar 2026');
  });
});
