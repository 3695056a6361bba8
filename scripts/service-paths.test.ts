import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createService } from '../server/service.ts';
import { startWorld } from '../test/support/worlds/service-world.ts';
import { SERVICE_PATHS } from './service-paths.ts';

const ofService = new RegExp(SERVICE_PATHS);
const { service, operatorKey } = await startWorld();

/** Returns a path that a route of the router answers, such as `/media/x/x`. */
function exampleOf(route: string): string {
  return route.includes('sitemap-') ? '/sitemap-12.xml' : route.replaceAll(/:\w+(?:\{[^}]+\})?|\*/g, 'x');
}

test('npm run dev sends every route of the service to it', () => {
  const { config } = service.deps;
  const site = { ...config.site, logo: { bytes: Buffer.from('<svg/>'), type: 'image/svg+xml' } as const };
  const withLogo = createService({ ...service.deps, config: { ...config, site } }, { operatorKey });
  const { routes } = withLogo.app;
  withLogo.app.stop();
  assert.ok(routes.some(({ path }) => path === '/site-logo') && routes.length > 100);
  const paths = routes.map(({ path }) => exampleOf(path));
  assert.deepEqual(
    paths.filter((path) => !ofService.test(path) || !ofService.test(`${path}?a=b`)),
    [],
  );
});

test('npm run dev takes the console’s files and pages from vite', () => {
  const folder = join(import.meta.dirname, '..', 'console');
  const files = globSync(['**/*.*', 'public/*'], { cwd: folder }).map((file) => `/${file.replaceAll('\\', '/')}`);
  assert.ok(files.length > 200);
  const pages = ['/', '/projects/x', '/leaderboard', '/agents/start', '/agent/settings', '/poster', '/operator/money'];
  const ofVite = [
    ...files,
    ...files.map((file) => file.replace(/^\/public/, '')),
    ...pages,
    '/@vite/client',
    '/@fs/x.ts',
  ];
  assert.deepEqual(
    ofVite.filter((path) => ofService.test(path)),
    [],
  );
});
