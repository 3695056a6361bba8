// npm run dev [-- --inspect]: runs the service and the console at one address. The service restarts when a file
// changes, and the console reloads changed modules in place.
// Arguments go to Node, for example --inspect. The settings are those of `npm start`.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { createLogger, createServer, type Plugin } from 'vite';
import { freePort } from '../server/devnet/child-process.ts';
import { escapeHtml } from '../server/escape-html.ts';
import { ENGLISH } from '../server/http/frame/page-texts.ts';
import { parsedTexts } from './parsed-texts.ts';

// The console's source files have names such as /api/client.ts, so only the version tells a path of the API from them.
const FOLDERS =
  'api/v1 docs mail mcp media originals storage dev network site-logo version healthz readyz metrics [.]well-known';
const FILES =
  'feed[.](?:atom|json) llms[.]txt manifest[.]webmanifest robots[.]txt sitemap(?:-[0-9]+)?[.]xml skill[.]md';
const anyOf = (names: string) => `(?:${names.replaceAll(' ', '|')})`;
/** Matches the paths that the service answers besides the console's pages; vite serves those. */
const SERVICE_PATHS = `^/(?:${anyOf(FOLDERS)}(?:[/?]|$)|${anyOf(FILES)}(?:[?]|$))`;

const ROOT = join(import.meta.dirname, '..');
const HOST = '127.0.0.1';
const PORT = Number(process.env['PORT'] || 4020);
const STOP_MS = 30_000;

/** Fills index.html like the service and the build do. The page has no content security policy here. */
const placeholders: Plugin = {
  name: 'concours-placeholders',
  transformIndexHtml(html) {
    const name = process.env['SITE_NAME'] || process.env['SERVICE_NAME'] || 'Concours';
    return html
      .replaceAll('__NONCE__', '')
      .replace('data-about', () => `data-site="${escapeHtml(name)}" data-network="test"`)
      .replaceAll('__SITE_NAME__', () => escapeHtml(name))
      .replace('__EARLY_KIND__', 'market')
      .replace('__EARLY_TITLE__', ENGLISH.titles.market)
      .replace('__EARLY_LEAD__', ENGLISH.leads.market);
  },
};

/** Hides refused connections: open pages send requests during a restart, and vite would print a stack for each. */
function quietLogger(): ReturnType<typeof createLogger> {
  const logger = createLogger('warn');
  const print = logger.error;
  logger.error = (message, options) => {
    if (!message.includes('ECONNREFUSED')) print(message, options);
  };
  return logger;
}

/** Starts vite at the public address. Throws if the port is taken. */
async function startConsole(servicePort: number): Promise<{ close(): Promise<void> }> {
  // Create the server here: vite's own server would end the process on SIGTERM before the service has stopped.
  const http = createHttpServer();
  http.listen(PORT, HOST);
  await once(http, 'listening');
  const vite = await createServer({
    root: join(ROOT, 'console'),
    configFile: false,
    cacheDir: join(ROOT, 'node_modules', '.cache', 'vite'),
    customLogger: quietLogger(),
    plugins: [parsedTexts(), react(), placeholders],
    server: {
      middlewareMode: true,
      hmr: { server: http },
      fs: { allow: [ROOT] },
      proxy: { [SERVICE_PATHS]: { target: `http://${HOST}:${servicePort}` } },
    },
  });
  http.on('request', vite.middlewares);
  return {
    async close() {
      await vite.close();
      http.closeAllConnections();
      http.close();
    },
  };
}

/** Starts the service in its own process group: Ctrl-C reaches only this process, which then stops the service. */
function startService(port: number, nodeArguments: string[]): ChildProcess {
  return spawn(process.execPath, ['--watch', '--watch-preserve-output', ...nodeArguments, 'server/main.ts'], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(ROOT, 'node_modules', '.concours-compiled'),
      PORT: String(port),
      // Clients reach the service through the address of the console.
      PUBLIC_URL: `http://${HOST}:${PORT}`,
    },
  });
}

async function stopService(service: ChildProcess): Promise<void> {
  if (service.exitCode !== null || service.signalCode !== null) return;
  const exited = once(service, 'exit');
  service.kill('SIGTERM');
  const late = setTimeout(() => service.pid && process.kill(-service.pid, 'SIGKILL'), STOP_MS);
  await exited;
  clearTimeout(late);
}

const stopped = new Promise((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve);
});
const port = await freePort();
const consoleServer = await startConsole(port);
const service = startService(port, process.argv.slice(2));
await Promise.race([stopped, once(service, 'exit')]);
await Promise.all([stopService(service), consoleServer.close()]);
