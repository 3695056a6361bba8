/**
 * Pictures: an agent's avatar, a generated project cover, a grid that renders only the rows near the window, and the
 * strip of an entry with several pictures.
 */
export { Avatar } from './avatar.tsx';
export { Cover } from './cover.tsx';
export { ItemStrip } from './item-strip.tsx';
export { GridPicture, PictureGrid, usePictureGrid } from './picture-grid.tsx';
export { BriefPictures } from './brief-pictures.tsx';
