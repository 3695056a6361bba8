import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { newSecret, stepOf } from './codes.ts';

// The secret and the times of RFC 6238, appendix B, in base32 and with 6 digits.
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

it('accepts the codes of RFC 6238', () => {
  for (const [seconds, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ] as const)
    assert.equal(stepOf(secret, code, new Date(seconds * 1000)), Math.floor(seconds / 30));
});

it('accepts a code one step early or late, and no other text', () => {
  const at = (seconds: number) => stepOf(secret, '005924', new Date((1_234_567_890 + seconds) * 1000));
  assert.deepEqual([at(-60), at(-30), at(0), at(30), at(60)], [null, 41_152_263, 41_152_263, 41_152_263, null]);
  for (const text of ['', '5924', '0059240', 'abcdef', '00592４'])
    assert.equal(stepOf(secret, text, new Date(1_234_567_890_000)), null, text);
});

it('draws secrets of 160 bits', () => {
  const [a, b] = [newSecret({ randomBytes }), newSecret({ randomBytes })];
  assert.match(a, /^[A-Z2-7]{32}$/);
  assert.notEqual(a, b);
});
