// views/gallery/ offers the galleries of a project's entries, with their pictures. The rest is private.

// Entries with their pictures, for other views.
export { picturesOf, judgedEntries } from './gallery-view.ts';
export { entriesById } from './gallery.ts';
