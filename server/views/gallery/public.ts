// What views/gallery/ offers to other folders; everything else in it is private.

export { posterEntries } from './gallery-view.ts';
export { entriesById, galleryCounts, galleryPage } from './gallery.ts';
export { galleryRoutes } from './routes.ts';
