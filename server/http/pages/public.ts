// The web console and the pictures: the public interface of http/pages/.

export { readConsole, type ConsoleBuild } from './console-files.ts';
export { mountConsole } from './console.ts';
export { mountMedia } from './media.ts';
export { mountSigningKeys } from './signing-keys.ts';
