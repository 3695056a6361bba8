import { createHmac, timingSafeEqual } from 'node:crypto';
import { DomainError } from '../../../contract/basics/errors.ts';
import type { OriginalPart, OriginalUrls, SignedOriginal } from '../types.ts';

export type OriginalUrlsOptions = { publicUrl: string; signingKey: Buffer; clock: { now(): Date } };

/** Creates the signed URLs of originals. They have a key of their own, so no URL of a copy ever opens an original. */
export function createOriginalUrls({ publicUrl, signingKey, clock }: OriginalUrlsOptions): OriginalUrls {
  const sign = ({ grantId, part, expires }: Omit<SignedOriginal, 'signature'>): string =>
    createHmac('sha256', signingKey).update(['GET', 'original', grantId, part, expires].join('\n')).digest('base64url');

  return {
    of(grantId, part, expiresAt) {
      const expires = `${Math.floor(expiresAt.getTime() / 1000)}`;
      const signature = sign({ grantId, part: `${part}`, expires });
      return `${publicUrl}/originals/${grantId}/${part}?expires=${expires}&signature=${signature}`;
    },

    verify(url) {
      const expected = Buffer.from(sign(url));
      const given = Buffer.from(url.signature);
      if (given.length !== expected.length || !timingSafeEqual(given, expected))
        throw refused('This download URL is not as it was issued; use it unchanged.');
      if (clock.now().getTime() >= Number(url.expires) * 1000)
        throw refused('This download URL has expired; request the files again for a new one.');
      return partOf(url.part);
    },
  };
}

function partOf(part: string): OriginalPart {
  return part === 'zip' ? part : Number(part);
}

function refused(why: string): DomainError {
  return new DomainError('UNAUTHORIZED', why, { status: 403 });
}
