// The HTTP application and its listener: the public interface of http/.

export { createApp, type App } from './app.ts';
export { listen } from './server.ts';

// The web console, the pictures, and downloads of originals.
export { readConsole, type ConsoleBuild } from './pages/console-files.ts';

// Rate limits and load shedding.
export { connectLimits } from './limits/connect.ts';
export type { Limits } from './limits/limits.ts';

// Prometheus metrics.
export { createProbes } from './metrics/health.ts';
