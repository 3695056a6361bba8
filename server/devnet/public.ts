// The embedded parts of a development start: the public interface of devnet/.

export { freePort } from './child-process.ts';
export { DataFolderBusy, DataFolderUnusable } from './data-folder.ts';
export { startEmbedded, type Embedded } from './embedded.ts';
export { EmbeddedPostgresError } from './postgres-binaries.ts';
export { SecretsUnreadable } from './secrets.ts';
