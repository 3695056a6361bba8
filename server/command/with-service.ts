import { hostname, userInfo } from 'node:os';
import type { CommandCaller } from '../audit/public.ts';
import { readConfig } from '../config.ts';
import type { Deps } from '../deps.ts';
import { startEmbedded } from '../devnet/public.ts';
import { createLog } from '../log.ts';
import { buildWorld, closeAll, type Closers, system } from '../main.ts';
import { createDomains } from '../service.ts';
import { VERSION } from '../version.ts';

/**
 * Builds the parts of a service for one act of its operator, without HTTP and jobs. `work` gets what verbs get; the audit
 * trail names the user of the command. An act that only reads applies no migration either.
 */
export async function withService(
  work: (deps: Deps & { caller: CommandCaller }) => Promise<void>,
  { onlyReads = false }: { onlyReads?: boolean } = {},
): Promise<void> {
  const config = readConfig();
  const log = createLog(config.logLevel, undefined, { host: hostname(), role: config.role, version: VERSION });
  const closers: Closers = [];
  try {
    const embedded = config.development ? await startEmbedded(config, { randomBytes: system.randomBytes, log }) : null;
    if (embedded) closers.push(() => embedded.stop());
    const { world } = await buildWorld(config, embedded, { log, closers, port: config.port, onlyReads });
    const caller: CommandCaller = { kind: 'command', user: userName() };
    await work({ ...createDomains(world).deps, caller });
  } finally {
    await closeAll(closers, log);
  }
}

/** In a container, the user may have no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}
