import { readFileSync } from 'node:fs';
import type { Setting } from './setting.ts';

type Env = Record<string, string | undefined>;

/**
 * Fills in each secret that is given as a file: `NAME_FILE` holds the path, and the file holds the value of `NAME`. Empty
 * variables count as not set.
 */
export function readSecretFiles(env: Env, settings: Record<string, Setting>): { env: Env; problems: string[] } {
  const filled = { ...env };
  const problems: string[] = [];
  for (const [name, { secret }] of Object.entries(settings)) {
    const path = secret ? env[`${name}_FILE`] : undefined;
    if (!path) continue;
    if (env[name]) problems.push(`${name}_FILE: set beside ${name}; set one of them`);
    else
      try {
        filled[name] = readFileSync(path, 'utf8').trim();
        if (filled[name] === '') problems.push(`${name}_FILE: the file is empty`);
      } catch (error) {
        problems.push(`${name}_FILE: the file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'})`);
      }
  }
  return { env: filled, problems };
}
