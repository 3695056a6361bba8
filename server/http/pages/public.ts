// The web console, the pictures, and downloads of originals: the public interface of http/pages/.

export { readConsole, type ConsoleBuild } from './console-files.ts';
export { mountConsole } from './console.ts';
export { createFindPage } from './page-facts.ts';
export { mountMailPages } from './mail-pages.ts';
export { mountMedia } from './media.ts';
export { mountOriginals } from './originals.ts';
export { mountSigningKeys } from './signing-keys.ts';
export { mountSiteFiles } from './site-files.ts';
