// views/delivery/ offers the winner's files to their poster. The rest is private.

// The files that a URL of originals opens, and the record of a download.
export { findDownload, recordDownload, type Download } from './downloads.ts';
