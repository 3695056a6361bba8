// pictures/urls/ offers these names to other folders; everything else in it is private.

// Signed URLs of copies, and of originals.
export { createMediaUrls } from './media-urls.ts';
export { createOriginalUrls } from './original-urls.ts';
