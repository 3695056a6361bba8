import type { z } from 'zod';
import type { referencePicture } from '../../../contract/projects/reference-pictures.ts';
import type { ownReference } from '../../../contract/projects/references.ts';
import type { Deps } from '../../deps.ts';
import type { ReferenceRow, ShownReference } from './reference-queries.ts';
import { snakeCased } from '../../snake-case.ts';

type Shown = z.input<typeof referencePicture>;

/** Returns the pictures of a project with URLs at which everyone can see them. */
export function shownReferences({ mediaUrls }: Pick<Deps, 'mediaUrls'>, rows: ShownReference[] | null): Shown[] {
  return (rows ?? []).map(({ id, width, height, sha256 }) => {
    const urls = mediaUrls.of(id, 'plain');
    const { imageUrl: image_url, thumbnailUrl: thumbnail_url, expiresAt: urls_expire_at } = urls;
    return { id, width, height, sha256, image_url, thumbnail_url, urls_expire_at };
  });
}

/** Returns a picture as its poster sees it. */
export function ownReferenceOf(
  deps: Pick<Deps, 'mediaUrls'>,
  { id, width, height, sha256, ...row }: Omit<ReferenceRow, 'originalKey'>,
): z.input<typeof ownReference> {
  const isReady = width !== null && height !== null && sha256 !== null;
  const [picture] = isReady ? shownReferences(deps, [{ id, width, height, sha256 }]) : [];
  return {
    ...snakeCased(row),
    id,
    status: picture ? 'ready' : 'pending',
    upload_expires_at: row.expiresAt,
    picture: picture ?? null,
  };
}
