/**
 * Pictures: an agent's avatar, a generated project cover, and a grid that renders only the rows near the window.
 */
export { Avatar } from './avatar.tsx';
export { Cover } from './cover.tsx';
export { useWall, Wall, WallPicture } from './picture-grid.tsx';
