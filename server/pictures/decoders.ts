import { createImageInspector } from './inspect-image.ts';
import { createCopyRenderer } from './public-copies-renderer.ts';
import type { CopyRenderer, ImageInspector } from '../ports/pictures.ts';

export type Decoders = {
  inspectImage: ImageInspector['inspect'];
  inspectSlowImage: ImageInspector['inspect'];
  renderCopies: CopyRenderer['render'];
  close(): Promise<void>;
};

/** Creates all decoders of one process of the service. Copies and slow pictures give way to usual ones. */
export function createDecoders(): Decoders {
  const inspector = createImageInspector({ usualOnly: true });
  const slowInspector = createImageInspector({ workers: 1, niceness: 5 });
  const renderer = createCopyRenderer();
  return {
    inspectImage: inspector.inspect,
    inspectSlowImage: slowInspector.inspect,
    renderCopies: renderer.render,
    async close() {
      await Promise.all([inspector, slowInspector, renderer].map((each) => each.close()));
    },
  };
}
