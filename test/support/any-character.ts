import fc from 'fast-check';

/**
 * Every code point but half surrogates, as the `unit` of `fc.string`. fast-check's own `'binary'` means the same, but first
 * lists all 1.1 million of them, which costs each test file more than a second.
 */
export const anyCharacter = fc
  .oneof(
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 0xd7ff }) },
    { weight: 1, arbitrary: fc.integer({ min: 0xe000, max: 0x10ffff }) },
  )
  .map((codePoint) => String.fromCodePoint(codePoint));
