import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { createImageInspector, ImageRejected } from './inspect-image.ts';
import { draw } from '../../test/support/test-pictures.ts';

const inspector = createImageInspector();
after(() => inspector.close());

const valid: Record<string, [type: string, bytes: Buffer]> = {
  JPEG: ['image/jpeg', await draw(1, 140, 120).withMetadata({ orientation: 3 }).jpeg().toBuffer()],
  'progressive JPEG': ['image/jpeg', await draw(2, 140, 120).jpeg({ progressive: true }).toBuffer()],
  PNG: ['image/png', await draw(3, 140, 120).withIccProfile('p3').png().toBuffer()],
  'palette PNG': ['image/png', await draw(4, 140, 120).png({ palette: true, progressive: true }).toBuffer()],
  WebP: ['image/webp', await draw(5, 140, 120).ensureAlpha(0.5).withIccProfile('p3').webp().toBuffer()],
  'lossless WebP': ['image/webp', await draw(6, 140, 120).webp({ lossless: true }).toBuffer()],
};

/** Asserts that any bytes are either accepted as a picture or fail with ImageRejected. */
async function judge(bytes: Buffer, contentType: string): Promise<void> {
  try {
    const facts = await inspector.inspect(bytes, { contentType });
    for (const side of [facts.width, facts.height]) assert.ok(side >= 100 && side <= 2048);
    assert.equal(facts.perceptualHash, BigInt.asIntN(64, facts.perceptualHash));
  } catch (error) {
    assert.ok(error instanceof ImageRejected, String(error));
    assert.ok(error.message.length > 10 && error.message.length < 200);
  }
}

for (const [what, [type, original]] of Object.entries(valid)) {
  const position = fc.oneof(fc.nat(original.length - 1), fc.nat(200));
  const flips = fc.array(fc.tuple(position, fc.nat(255)), { minLength: 1, maxLength: 12 });

  test(`${what}: with changed bytes, is accepted or rejected`, () =>
    fc.assert(
      fc.asyncProperty(flips, async (changes) => {
        const bytes = Buffer.from(original);
        for (const [at, value] of changes) bytes[at] = value;
        await judge(bytes, type);
      }),
      { numRuns: 60 },
    ));
}
