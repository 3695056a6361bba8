// pictures/urls/ offers signed URLs of copies and of originals. The rest is private.

// Signed URLs of copies, and of originals.
export { createMediaUrls } from './media-urls.ts';
export { createOriginalUrls } from './original-urls.ts';
