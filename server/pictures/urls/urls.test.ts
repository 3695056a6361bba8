import assert from 'node:assert/strict';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { test } from 'node:test';
import { createMediaUrls } from './media-urls.ts';
import { createOriginalUrls } from './original-urls.ts';
import type { SignedMedia, SignedOriginal } from '../types.ts';

const publicUrl = 'https://pictures.example';
const clock = { at: Date.parse('2026-03-01T12:00:00.000Z'), now: () => new Date(clock.at) };
const signingKey = randomBytes(32);
const urls = createMediaUrls({ publicUrl, signingKey, clock });
const id = randomUUIDv7();
const shown = 'marked';

function partsOf(url: string): SignedMedia {
  const { origin, pathname, searchParams } = new URL(url);
  assert.equal(origin, publicUrl);
  const [, media, mediaFileId = '', variant = ''] = pathname.split('/');
  assert.equal(media, 'media');
  assert.deepEqual([...searchParams.keys()], ['expires', 'signature']);
  return {
    mediaFileId,
    variant,
    expires: searchParams.get('expires') ?? '',
    signature: searchParams.get('signature') ?? '',
  };
}

const refused = (message: RegExp) => ({ name: 'DomainError', code: 'UNAUTHORIZED', status: 403, message });

test('media URLs live for 60 to 75 minutes, and stay equal for 15 minutes', () => {
  const lives = new Set<number>();
  for (let minute = 0; minute < 60; minute++) {
    clock.at = Date.parse('2026-03-01T12:00:00.000Z') + minute * 60_000;
    const { expiresAt } = urls.of(id, shown);
    lives.add((expiresAt.getTime() - clock.at) / 60_000);
    assert.equal(expiresAt.getTime() % 900_000, 0);
  }
  assert.deepEqual([Math.min(...lives), Math.max(...lives)], [60, 74]);
  clock.at = Date.parse('2026-03-01T12:00:00.001Z');
  const first = urls.of(id, shown);
  assert.equal((first.expiresAt.getTime() - clock.at) / 60_000, 75 - 1 / 60_000);
  clock.at = Date.parse('2026-03-01T12:15:00.000Z');
  assert.deepEqual(urls.of(id, shown), first);
  clock.at += 1;
  assert.notEqual(urls.of(id, shown).imageUrl, first.imageUrl);
});

test('media URLs are valid as issued, until they expire', () => {
  const { imageUrl, thumbnailUrl, expiresAt } = urls.of(id, shown);
  for (const [url, variant] of [
    [imageUrl, 'marked-image'],
    [thumbnailUrl, 'plain-thumbnail'],
  ] as const) {
    assert.deepEqual(urls.verify(partsOf(url)), { variant, expiresAt });
    assert.equal(partsOf(url).variant, variant);
  }
  clock.at = expiresAt.getTime() - 1;
  assert.deepEqual(urls.verify(partsOf(imageUrl)), { variant: 'marked-image', expiresAt });
  clock.at = expiresAt.getTime();
  assert.throws(() => urls.verify(partsOf(imageUrl)), refused(/has expired/));
  clock.at = Date.parse('2026-03-01T12:00:00.000Z');
});

test('media URLs are refused after any change', () => {
  const parts = partsOf(urls.of(id, shown).imageUrl);
  const other = partsOf(urls.of(randomUUIDv7(), shown).imageUrl);
  const changes: Partial<SignedMedia>[] = [
    { variant: 'plain-image' },
    { variant: 'image' },
    { variant: '' },
    { mediaFileId: other.mediaFileId },
    { mediaFileId: parts.mediaFileId.toUpperCase() },
    { expires: `${Number(parts.expires) + 900}` },
    { expires: `${parts.expires}.0` },
    { signature: other.signature },
    { signature: partsOf(urls.of(id, shown).thumbnailUrl).signature },
    { signature: '' },
    { signature: `${parts.signature}=` },
    { signature: parts.signature.slice(0, -1) },
    // A line break in one part must not move text into the next part.
    { mediaFileId: `${parts.mediaFileId}\nimage`, variant: '' },
  ];
  for (const change of changes)
    assert.throws(() => urls.verify({ ...parts, ...change }), refused(/not as it was issued/), JSON.stringify(change));
  const foreign = createMediaUrls({ publicUrl, signingKey: randomBytes(32), clock });
  assert.throws(() => foreign.verify(parts), refused(/not as it was issued/));
});

const originals = createOriginalUrls({ publicUrl, signingKey, clock });
const grantId = randomUUIDv7();
const expiresAt = new Date(clock.at + 300_000);

function originalOf(url: string): SignedOriginal {
  const { origin, pathname, searchParams } = new URL(url);
  assert.equal(origin, publicUrl);
  const [, folder, grant = '', part = ''] = pathname.split('/');
  assert.equal(folder, 'originals');
  return { grantId: grant, part, expires: searchParams.get('expires')!, signature: searchParams.get('signature')! };
}

test('URLs of originals are valid as issued, until they expire', () => {
  for (const part of [1, 20, 'zip'] as const) {
    const url = originalOf(originals.of(grantId, part, expiresAt));
    clock.at = expiresAt.getTime() - 1;
    assert.equal(originals.verify(url), part);
    clock.at = expiresAt.getTime();
    assert.throws(() => originals.verify(url), refused(/has expired/));
    clock.at = expiresAt.getTime() - 300_000;
  }
});

test('URLs of originals are refused after any change', () => {
  const parts = originalOf(originals.of(grantId, 1, expiresAt));
  const changes: Partial<SignedOriginal>[] = [
    { part: '2' },
    { part: 'zip' },
    { part: '' },
    { grantId: randomUUIDv7() },
    { expires: `${Number(parts.expires) + 1}` },
    { expires: `${parts.expires}.0` },
    { signature: '' },
    { signature: `${parts.signature}=` },
    { signature: parts.signature.slice(1) },
    { signature: originalOf(originals.of(grantId, 2, expiresAt)).signature },
    // A line break in one part must not move text into the next part.
    { grantId: `${grantId}\n1`, part: '' },
  ];
  for (const change of changes)
    assert.throws(
      () => originals.verify({ ...parts, ...change }),
      refused(/not as it was issued/),
      JSON.stringify(change),
    );
  const foreign = createOriginalUrls({ publicUrl, signingKey: randomBytes(32), clock });
  assert.throws(() => foreign.verify(parts), refused(/not as it was issued/));
});

test('the signature of a picture opens no original, even under the same key', () => {
  const { imageUrl } = createMediaUrls({ publicUrl, signingKey, clock }).of(grantId, 'plain');
  const { searchParams } = new URL(imageUrl);
  const url = { grantId, expires: searchParams.get('expires')!, signature: searchParams.get('signature')! };
  for (const part of ['1', 'zip', 'plain-image'])
    assert.throws(() => originals.verify({ ...url, part }), refused(/issued/));
});
