import { homedir } from 'node:os';
import { join } from 'node:path';

/** Returns the folder of the command in the system's configuration folder. */
export function configFolder(env: Record<string, string | undefined>, platform: string = process.platform): string {
  const { XDG_CONFIG_HOME: xdg, APPDATA: appData } = env;
  if (xdg) return join(xdg, 'concours');
  if (platform === 'win32' && appData) return join(appData, 'concours');
  return join(env['HOME'] ?? homedir(), '.config', 'concours');
}
