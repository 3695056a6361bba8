// The exports of views/gallery/. Other folders import nothing else from it.

// Entries with their pictures, for other views.
export { picturesOf, judgedEntries } from './gallery-view.ts';
export { entriesById, galleryPage } from './gallery.ts';
export { galleryCounts } from './gallery-queries.ts';
// The operations of this folder.
export { galleryRoutes } from './routes.ts';
