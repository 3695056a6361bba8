// The exports of pictures/. Other folders import nothing else from it.

// Inspection of uploads, its errors, and the queue in which agents take turns.
export { InspectorBusy } from './decode-pool.ts';
export { createFairQueue } from './fair-queue.ts';
export { ImageRejected, createImageInspector, PICTURE_SIDES } from './inspect-image.ts';
export { sniff } from './image-header.ts';
// Signed URLs of public copies.
export { createMediaUrls } from './media-urls.ts';
// The limit on the memory of pictures.
export { createPictureMemory } from './picture-memory.ts';
// Rendering, storing, and reading of public copies.
export { createCopyRenderer } from './public-copies-renderer.ts';
export { createPublicCopies } from './public-copies.ts';
