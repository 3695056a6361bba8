import type { Output } from '../../contract/basics/operation.ts';
import type { deliveryOperations } from '../../contract/projects/delivery.ts';
import type { Context } from '../deps.ts';
import type { OriginalRow } from './delivery-queries.ts';

type Previews = Output<typeof deliveryOperations.listOwnFiles>['previews'];

/** Returns copies without a watermark, for a caller that may also read the originals. */
export function previewsOf({ mediaUrls }: Pick<Context, 'mediaUrls'>, files: OriginalRow[]): Previews {
  return files.map(({ mediaFileId, item, width, height }) => {
    const { imageUrl, thumbnailUrl, expiresAt } = mediaUrls.of(mediaFileId, 'plain');
    return { item, image_url: imageUrl, thumbnail_url: thumbnailUrl, urls_expire_at: expiresAt, width, height };
  });
}
