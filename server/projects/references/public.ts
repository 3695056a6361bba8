// projects/references/ offers the reference pictures of projects as rows: adding, freezing, copying, and showing them. The
// rest is private.

export {
  confirmReferenceRow,
  copyReferences,
  countUnpublished,
  detachReference,
  findReferenceOriginal,
  freezeReferences,
  insertReference,
  leaseReference,
  listReferenceRows,
  originalKey,
  referencesColumn,
  releaseReference,
  uploadKey,
  type ReferenceRow,
  type ShownReference,
} from './reference-queries.ts';
// A recurring job.
export { removeUnusedReferences } from './remove-unused-references.ts';
export { ownReferenceOf, shownReferences } from './shown-references.ts';
