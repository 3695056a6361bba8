// The console's source files have names such as /api/client.ts, so only the version tells a path of the API from them.
const FOLDERS = [
  'api/v1',
  'docs',
  'mail',
  'mcp',
  'media',
  'share',
  'originals',
  'storage',
  'dev',
  'network',
  'site-logo',
  'version',
  'healthz',
  'readyz',
  'metrics',
  '[.]well-known',
];
const FILES = [
  'feed[.](?:atom|json)',
  'llms[.]txt',
  'manifest[.]webmanifest',
  'robots[.]txt',
  'sitemap(?:-[0-9]+)?[.]xml',
  'skill[.]md',
];

/** Matches the paths that the service answers besides the console's pages: in development, vite serves those. */
export const SERVICE_PATHS = `^/(?:(?:${FOLDERS.join('|')})(?:[/?]|$)|(?:${FILES.join('|')})(?:[?]|$))`;
