import { createImageInspector } from './inspect-image.ts';
import { createCopyRenderer } from './public-copies-renderer.ts';
import type { CopyRenderer, ImageInspector } from '../ports/pictures.ts';

export type Decoders = {
  inspectImage: ImageInspector['inspect'];
  inspectSlowImage: ImageInspector['inspect'];
  preflightImage: ImageInspector['inspect'];
  renderCopies: CopyRenderer['render'];
  close(): Promise<void>;
};

/** Creates all decoders of one process of the service. Preflights, copies, and slow pictures give way to usual ones. */
export function createDecoders(): Decoders {
  const inspector = createImageInspector({ usualOnly: true });
  const slowInspector = createImageInspector({ workers: 1, niceness: 5 });
  const preflighter = createImageInspector({ workers: 1, niceness: 10 });
  const renderer = createCopyRenderer();
  return {
    inspectImage: inspector.inspect,
    inspectSlowImage: slowInspector.inspect,
    preflightImage: preflighter.inspect,
    renderCopies: renderer.render,
    async close() {
      await Promise.all([inspector, slowInspector, preflighter, renderer].map((each) => each.close()));
    },
  };
}
