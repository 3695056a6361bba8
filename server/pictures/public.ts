// What pictures/ offers to other folders; everything else in it is private.

export { InspectorBusy } from './decode-pool.ts';
export { ImageRejected, createImageInspector } from './inspect-image.ts';
export { createMediaUrls } from './media-urls.ts';
export { createPictureMemory } from './picture-memory.ts';
export { createCopyRenderer } from './public-copies-renderer.ts';
export { createPublicCopies } from './public-copies.ts';
