// What devnet/ offers to other folders; everything else in it is private.

export { freePort } from './child-process.ts';
export { DataFolderBusy, DataFolderUnusable } from './data-folder.ts';
export { startEmbedded, type Embedded } from './embedded.ts';
export { EmbeddedPostgresError } from './postgres-binaries.ts';
export { SecretsUnreadable } from './secrets.ts';
