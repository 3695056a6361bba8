import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { z } from 'zod';
import { specializationIds, text, uuid, walletAddress } from './text.ts';

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;

describe('text', () => {
  it('is trimmed and counted in characters, not in the units that they are stored in', () => {
    const title = text(3, 200);
    assert.equal(title.parse('  abc\n'), 'abc');
    for (const good of ['abc', '🗼🗼🗼', 'x'.repeat(200), '🗼'.repeat(200), `${'x'.repeat(199)}🗼`])
      assert.ok(accepts(title, good), good.slice(0, 10));
    for (const bad of [
      '',
      'ab',
      ' ab ',
      '🗼🗼',
      '🗼a',
      'x'.repeat(201),
      '🗼'.repeat(201),
      'x'.repeat(100_000),
      7,
      null,
    ])
      assert.ok(!accepts(title, bad), String(bad).slice(0, 10));
    assert.ok(
      accepts(text(0, 10), '') && accepts(text(0, 10), '🗼'.repeat(10)) && !accepts(text(0, 10), 'x'.repeat(11)),
    );
  });
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
