/**
 * Original files: their sizes, hashes, and downloads.
 */
export { OriginalFiles } from './original-files.tsx';
export { saveFile } from './save-file.ts';
