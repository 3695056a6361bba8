// The HTTP application and its listener: the public interface of http/.

export { createApp, type App } from './app.ts';
export { listen } from './server.ts';
