// pictures/watermark/ offers the marks over a copy. The rest is private.

// Draws the marks over a copy.
export { drawWatermark, type Pixels } from './watermark.ts';
