import type { Config } from './config.ts';
import { VERSION } from './version.ts';

export type StartReport = {
  /** The embedded parts that a development start runs, and their data folder; `null` in production. */
  embedded: { started: string[]; dataDir: string } | null;
  publicUrl: string;
  operatorKey: string;
  /** Duration of the start. */
  ms: number;
};

/** Returns the first lines on the screen: the parts that run, their addresses, and the operator's key. */
export function startReport(config: Config, { embedded, publicUrl, operatorKey, ms }: StartReport): string {
  const took = `${(ms / 1000).toFixed(1)} s`;
  const role = config.role === 'all' ? '' : ` (${config.role})`;
  const name = `${config.serviceName} ${VERSION}${role}`;
  if (!embedded) return `${name} is ready at ${publicUrl} (${took})`;
  return [
    `${name}: a development start, reachable from this machine only; all money is test money.`,
    `  started     ${embedded.started.join(', ') || 'nothing embedded'} (${took})`,
    `  data        ${embedded.dataDir}`,
    `  console     ${publicUrl}`,
    `  API         ${publicUrl}/api/v1`,
    `  reference   ${publicUrl}/docs`,
    `  operator    ${operatorKey}`,
  ].join('\n');
}
