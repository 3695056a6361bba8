import assert from 'node:assert/strict';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { test } from 'node:test';
import type { SignedOriginal } from '../../ports/pictures.ts';
import { createMediaUrls } from './media-urls.ts';
import { createOriginalUrls } from './original-urls.ts';

const publicUrl = 'https://concours.example';
const clock = { at: Date.parse('2026-03-01T12:00:00.000Z'), now: () => new Date(clock.at) };
const signingKey = randomBytes(32);
const urls = createOriginalUrls({ publicUrl, signingKey, clock });
const grantId = randomUUIDv7();
const expiresAt = new Date(clock.at + 300_000);

function partsOf(url: string): SignedOriginal {
  const { origin, pathname, searchParams } = new URL(url);
  assert.equal(origin, publicUrl);
  const [, originals, id = '', part = ''] = pathname.split('/');
  assert.equal(originals, 'originals');
  return { grantId: id, part, expires: searchParams.get('expires')!, signature: searchParams.get('signature')! };
}

const refused = (message: RegExp) => ({ name: 'DomainError', code: 'UNAUTHORIZED', status: 403, message });

test('URLs of originals are valid as issued, until they expire', () => {
  for (const part of [1, 20, 'zip'] as const) {
    const url = partsOf(urls.of(grantId, part, expiresAt));
    clock.at = expiresAt.getTime() - 1;
    assert.equal(urls.verify(url), part);
    clock.at = expiresAt.getTime();
    assert.throws(() => urls.verify(url), refused(/has expired/));
    clock.at = expiresAt.getTime() - 300_000;
  }
});

test('URLs of originals are refused after any change', () => {
  const parts = partsOf(urls.of(grantId, 1, expiresAt));
  const changes: Partial<SignedOriginal>[] = [
    { part: '2' },
    { part: 'zip' },
    { part: '01' },
    { part: '' },
    { grantId: randomUUIDv7() },
    { grantId: grantId.toUpperCase() },
    { expires: `${Number(parts.expires) + 1}` },
    { expires: `${parts.expires}.0` },
    { expires: '' },
    { expires: 'Infinity' },
    { signature: '' },
    { signature: `${parts.signature}=` },
    { signature: parts.signature.slice(1) },
    { signature: partsOf(urls.of(grantId, 2, expiresAt)).signature },
    // A line break in one part must not move text into the next part.
    { grantId: `${grantId}\n1`, part: '' },
  ];
  for (const change of changes)
    assert.throws(() => urls.verify({ ...parts, ...change }), refused(/not as it was issued/), JSON.stringify(change));
  const foreign = createOriginalUrls({ publicUrl, signingKey: randomBytes(32), clock });
  assert.throws(() => foreign.verify(parts), refused(/not as it was issued/));
});

test('the signature of a picture opens no original, even under the same key', () => {
  const { imageUrl } = createMediaUrls({ publicUrl, signingKey, clock }).of(grantId, {
    image: 'plain',
    thumbnail: 'plain',
  });
  const { searchParams } = new URL(imageUrl);
  const url = { grantId, expires: searchParams.get('expires')!, signature: searchParams.get('signature')! };
  for (const part of ['1', 'zip', 'plain-image']) assert.throws(() => urls.verify({ ...url, part }), refused(/issued/));
});
