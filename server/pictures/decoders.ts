import { createImageInspector } from './inspect-image.ts';
import { createCopyRenderer } from './public-copies-renderer.ts';
import { createSharePictureRenderer } from './share-picture-renderer.ts';
import type { CopyRenderer, ImageInspector, SharePictureRenderer } from '../ports/pictures.ts';

export type Decoders = {
  inspectImage: ImageInspector['inspect'];
  inspectSlowImage: ImageInspector['inspect'];
  preflightImage: ImageInspector['inspect'];
  renderCopies: CopyRenderer['render'];
  renderSharePicture: SharePictureRenderer['render'];
  close(): Promise<void>;
};

/** Creates all decoders of one process of the service. Preflights, copies, and slow pictures give way to usual ones. */
export function createDecoders(): Decoders {
  const inspector = createImageInspector({ usualOnly: true });
  const slowInspector = createImageInspector({ workers: 1, niceness: 5 });
  const preflighter = createImageInspector({ workers: 1, niceness: 10 });
  const renderer = createCopyRenderer();
  const shares = createSharePictureRenderer();
  return {
    inspectImage: inspector.inspect,
    inspectSlowImage: slowInspector.inspect,
    preflightImage: preflighter.inspect,
    renderCopies: renderer.render,
    renderSharePicture: shares.render,
    async close() {
      await Promise.all([inspector, slowInspector, preflighter, renderer, shares].map((each) => each.close()));
    },
  };
}
