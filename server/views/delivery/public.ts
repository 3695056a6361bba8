// The exports of views/delivery/. Other folders import nothing else from it.

// The files that a URL of originals opens, and the record of a download.
export { findDownload, recordDownload, type Download } from './downloads.ts';
// The operations of this folder.
export { originalRoutes } from './routes.ts';
