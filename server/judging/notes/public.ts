// judging/notes/ offers these names to other folders; everything else in it is private.

// A review replaces the draft of its feedback.
export { notesOf } from './notes.ts';
export { forgetDraft } from './note-queries.ts';

// The operation that writes a note.
export { noteRoutes } from './routes.ts';
