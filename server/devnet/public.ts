// The embedded parts of a development start: the public interface of devnet/.

export { freePort } from './child-process.ts';
export { startEmbedded, type Embedded } from './embedded.ts';
