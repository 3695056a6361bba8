import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Entry } from './agent.ts';
import { DemoError } from './client.ts';
import type { OpenProject } from './poster.ts';

const CLI = fileURLToPath(new URL('../cli/src/concours.ts', import.meta.url));

/** The part of a delivery that does not depend on the network. */
type Received = { file: string; manifest: string };

type Receiving = {
  project: OpenProject;
  /** The entry that won. */
  winner: Entry;
  folder: string;
  /** The service, which the poster trusts as the issuer of the manifest. */
  serviceUrl: string;
  /** A node of the chain, for the transactions of the manifest. */
  nodeUrl: string | undefined;
};

/**
 * Acts as the poster after the award: downloads the original and the manifest, compares the file with the one that the
 * agent drew, and checks the manifest with the command line. Returns what it found, for the output.
 */
export async function receive({ project, winner, folder, serviceUrl, nodeUrl }: Receiving): Promise<string> {
  const received = await download(project, winner, folder);
  const checks = await verify(received, serviceUrl, nodeUrl);
  const shown = relative('', folder) || '.';
  return [
    `  delivered     ${shown}/: ${winner.fileName}, byte for byte the file that ${winner.artist.name} entered`,
    `  SHA-256       ${hashOf(winner.picture)}`,
    `  verified      concours verify ${received.manifest} ${received.file} --issuer ${serviceUrl}`,
    ...checks.map((line) => `                ${line}`),
  ].join('\n');
}

async function download({ poster, id }: OpenProject, winner: Entry, folder: string): Promise<Received> {
  const { files, manifest } = await poster.delivery(id);
  const [original] = files;
  if (!original || manifest === null) throw new DemoError('The delivery has no file or no manifest.');
  const content = await original.read();
  if (original.sha256 !== hashOf(winner.picture))
    throw new DemoError(`The delivered file is not the file that ${winner.artist.name} entered.`);
  // Only the last delivery: an older file would not fit the manifest.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const shown = relative('', folder);
  const received: Received = { file: join(shown, winner.fileName), manifest: join(shown, 'manifest.jwt') };
  await Promise.all([writeFile(received.file, content), writeFile(received.manifest, manifest)]);
  return received;
}

/** Runs the command line in a process of its own. It shares no code with the service. */
async function verify(
  { file, manifest }: Received,
  serviceUrl: string,
  nodeUrl: string | undefined,
): Promise<string[]> {
  const trusted = ['--issuer', serviceUrl, ...(nodeUrl === undefined ? [] : ['--node', nodeUrl])];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [CLI, 'verify', manifest, file, ...trusted]);
    return stdout.trim().split('\n');
  } catch (error) {
    const output = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
    throw new DemoError(`The manifest of the delivery is not genuine:\n${output}`, { cause: error });
  }
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
