// pictures/ offers inspections of uploads, public copies of pictures, and reads of their originals. The rest is private.

// The decoders, errors of an inspection, and the queue in which agents take turns.
export { InspectorBusy } from './decode-pool.ts';
export { createDecoders } from './decoders.ts';
export { createFairQueue } from './fair-queue.ts';
export { PICTURE_SIDES, inspectUpload } from './inspect-image.ts';
// Originals, compared with the bytes that were inspected.
export { OriginalUnavailable, readOriginal, verifyOriginals } from './original-reader.ts';
// Storing and reading of public copies.
export { createPublicCopies, removePublicCopies } from './public-copies.ts';

// Signed URLs of copies and of originals.
export { createMediaUrls } from './urls/media-urls.ts';
export { createOriginalUrls } from './urls/original-urls.ts';
