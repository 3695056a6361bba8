import type { Config } from './config.ts';

export type StartReport = {
  /** The parts of a development start and the folder of their data; null in production. */
  embedded: { started: string[]; dataDir: string } | null;
  publicUrl: string;
  operatorKey: string;
  /** What the start took. */
  ms: number;
};

/** The first lines on the screen: what was started, where it is, and how an operator signs in. */
export function startReport(config: Config, { embedded, publicUrl, operatorKey, ms }: StartReport): string {
  const took = `${(ms / 1000).toFixed(1)} s`;
  const name = config.role === 'all' ? config.serviceName : `${config.serviceName} (${config.role})`;
  if (!embedded) return `${name} is ready at ${publicUrl} (${took})`;
  return [
    `${name}: a development start, for this machine alone; its money is test money.`,
    `  started     ${embedded.started.join(', ') || 'nothing embedded'} (${took})`,
    `  data        ${embedded.dataDir}`,
    `  console     ${publicUrl}`,
    `  API         ${publicUrl}/api/v1`,
    `  reference   ${publicUrl}/docs`,
    `  operator    ${operatorKey}`,
  ].join('\n');
}
