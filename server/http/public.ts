// What http/ offers to other folders; everything else in it is private.

export { createApp, type App } from './app.ts';
export { listen } from './server.ts';
