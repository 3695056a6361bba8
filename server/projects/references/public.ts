// projects/references/ offers the reference pictures of projects as rows: adding, freezing, copying, and showing them. The
// rest is private.

export {
  confirmReferenceRow,
  copyReferences,
  detachReference,
  findReferenceOriginal,
  firstReferences,
  freezeReferences,
  insertReference,
  leaseReference,
  listReferenceRows,
  originalKey,
  referencesColumn,
  sumUnpublished,
  releaseReference,
  uploadKey,
  type ReferenceRow,
  type ShownReference,
  type Unpublished,
} from './reference-queries.ts';
// A recurring job.
export { removeUnusedReferences } from './remove-unused-references.ts';
export { ownReferenceOf, shownReferences } from './shown-references.ts';
