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

/** A relay to one address. */
export async function startRelayProgram(home: ProgramHome, name: string, target: string): Promise<Relay> {
  const port = await freePort();
  const program = await startHaproxy(home, name, `listen ${name}\n  bind 127.0.0.1:${port}\n  server it ${target}\n`);
  await untilListening(program, name, port);
  return { program, port };
}

export type Relay = { program: Program; port: number };

/**
 * Leads one port to the primary and another one to the standbys, as Patroni's REST API names them. Connections to a node
 * that is no primary any more are closed, so that no client goes on with it.
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
  const program = await startHaproxy(home, 'haproxy', `${group}\n`);
  await untilListening(program, 'haproxy', primaryPort);
  return { program, primaryPort };
}

async function startHaproxy(home: ProgramHome, name: string, sections: string): Promise<Program> {
  const file = join(home.folder, `${name}.cfg`);
  await writeFile(file, `${DEFAULTS}${sections}`);
  const program = new Program(home, name, ['haproxy', '-db', '-f', file]);
  await program.start();
  return program;
}
