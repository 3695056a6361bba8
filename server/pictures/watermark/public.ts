// pictures/watermark/ offers these names to other folders; everything else in it is private.

// Draws the marks over a copy.
export { drawWatermark, type Pixels } from './watermark.ts';
