import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../server/devnet/child-process.ts';
import type { DatabaseNode } from './patroni.ts';
import { type ProgramHome, Program, untilListening } from './program.ts';

// Without retries, a connection to a dead server ends at once, and the circuit breaker of the service takes over.
const DEFAULTS = `
defaults
  mode tcp
  retries 0
  timeout connect 1s
  timeout check 2s
  timeout client 1h
  timeout server 1h
`;

/**
 * Leads a port to the primary, as Patroni's REST API names it. Connections to a node that is no primary any more are
 * closed, so that no client goes on with it.
 */
export async function startDatabaseProxy(
  home: ProgramHome,
  nodes: DatabaseNode[],
): Promise<{ program: Program; primaryPort: number }> {
  const primaryPort = await freePort();
  const group = [
    'listen primary',
    `  bind 127.0.0.1:${primaryPort}`,
    '  option httpchk OPTIONS /primary',
    '  http-check expect status 200',
    '  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions',
    ...nodes.map((node) => `  server ${node.name} 127.0.0.1:${node.port} check port ${node.restPort}`),
  ].join('\n');
  const file = join(home.folder, 'haproxy.cfg');
  await writeFile(file, `${DEFAULTS}${group}\n`);
  const program = new Program(home, 'haproxy', ['haproxy', '-db', '-f', file]);
  await program.start();
  await untilListening(program, 'haproxy', primaryPort);
  return { program, primaryPort };
}
