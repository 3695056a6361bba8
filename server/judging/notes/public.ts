// judging/notes/ offers a poster's private notes about entries. The rest is private.

// A review replaces the draft of its feedback.
export { notesOf } from './notes.ts';
export { forgetDraft, takeDrafts } from './note-queries.ts';
