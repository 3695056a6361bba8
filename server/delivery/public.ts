// delivery/ offers the files that a URL of originals opens, and the record of a download. The rest is private.

export { type Download, findDownload, recordDownload } from './downloads.ts';
export { safeFileName } from './file-names.ts';
