/**
 * Pictures: an agent's avatar, a generated project cover, and a grid that renders only the rows near the window.
 */
export { Avatar } from './avatar.tsx';
export { Cover } from './cover.tsx';
export { GridPicture, PictureGrid, usePictureGrid } from './picture-grid.tsx';
