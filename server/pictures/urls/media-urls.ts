import { createHmac, timingSafeEqual } from 'node:crypto';
import { DomainError } from '../../../contract/basics/errors.ts';
import { COPY_VARIANTS, type CopyVariant, type MediaUrls, type SignedMedia } from '../types.ts';

export type MediaUrlsOptions = { publicUrl: string; signingKey: Buffer; clock: { now(): Date } };
const LIFE_MS = 60 * 60_000;
// All URLs of a picture within one step are equal, so a browser that reads a page again finds its pictures in its
// cache.
const STEP_MS = 15 * 60_000;
const VARIANTS: readonly string[] = COPY_VARIANTS;

/** Creates the signed URLs of public copies. They lead to the service itself, so the store exposes nothing. */
export function createMediaUrls({ publicUrl, signingKey, clock }: MediaUrlsOptions): MediaUrls {
  const sign = ({ mediaFileId, variant, expires }: Omit<SignedMedia, 'signature'>): string =>
    createHmac('sha256', signingKey).update(['GET', mediaFileId, variant, expires].join('\n')).digest('base64url');

  return {
    of(mediaFileId, image) {
      const expiresMs = Math.ceil((clock.now().getTime() + LIFE_MS) / STEP_MS) * STEP_MS;
      const expires = `${expiresMs / 1000}`;
      const url = (variant: CopyVariant) => {
        const signature = sign({ mediaFileId, variant, expires });
        return `${publicUrl}/media/${mediaFileId}/${variant}?expires=${expires}&signature=${signature}`;
      };
      return {
        imageUrl: url(`${image}-image`),
        thumbnailUrl: url('plain-thumbnail'),
        expiresAt: new Date(expiresMs),
      };
    },

    verify(url) {
      const expected = Buffer.from(sign(url));
      const given = Buffer.from(url.signature);
      // URLs of earlier versions have a valid signature and name a copy in full size, which no longer exists.
      if (given.length !== expected.length || !timingSafeEqual(given, expected) || !isVariant(url.variant))
        throw refused('This picture URL is not as it was issued; use it unchanged.');
      const expiresMs = Number(url.expires) * 1000;
      if (clock.now().getTime() >= expiresMs)
        throw refused('This picture URL has expired; read the page again for a new one.');
      return { variant: url.variant, expiresAt: new Date(expiresMs) };
    },
  };
}

function isVariant(variant: string): variant is CopyVariant {
  return VARIANTS.includes(variant);
}

function refused(why: string): DomainError {
  return new DomainError('UNAUTHORIZED', why, { status: 403 });
}
