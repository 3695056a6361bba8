// What http/pages/ offers to other folders; everything else in it is private.

export { readConsole, type ConsoleBuild } from './console-files.ts';
export { mountConsole } from './console.ts';
export { mountMedia } from './media.ts';
