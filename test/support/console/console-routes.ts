import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const CONSOLE = join(import.meta.dirname, '..', '..', '..', 'console');

/** Returns the paths of the console's routes behind a sign-in, with `id` in place of their parameters. */
export function privateRoutes(id: string): string[] {
  return ['poster', 'agent', 'operator'].flatMap((area) => routesIn(area, id));
}

/** Returns the paths of the console's other routes. */
export function publicRoutes(id: string): string[] {
  return ['market', 'public-project', 'entering', 'rankings'].flatMap((folder) => routesIn(folder, id));
}

function routesIn(folder: string, id: string): string[] {
  return globSync(`${folder}/**/routes.ts`, { cwd: CONSOLE }).flatMap((file) => {
    const source = readFileSync(join(CONSOLE, file), 'utf8');
    const whole = [...source.matchAll(/\bpath: '([^']+)'/g)].map(([, path = '']) => path);
    // The pages of an area name their part after it.
    const pages = source.matchAll(/\bpageRoute\((area|signedInRoute), '([^']+)'/g);
    const parts = Array.from(pages, ([, parent, part = '']) => (parent === 'area' ? `/${folder}${part}` : part));
    return [...new Set([...whole, ...parts].map((path) => path.replace(/(?<=.)\/$/, '').replace(/\$\w+/g, id)))];
  });
}
