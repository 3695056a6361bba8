// The process of the service that the HTTP tests of a run share. global-setup.ts starts it with an IPC channel. It sends
// its address as a `SharedService`, and ends when it is told to. It exits with 1 if the service logged an error or if a
// secret was left anywhere.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPlanted } from '../secrets/canary-watch.ts';
import { removeFolder } from '../remove-folder.ts';
import { closeAll, openWorld } from './service-world.ts';
import { SHARED_SETTINGS, type SharedService } from './shared-service.ts';

const folder = await mkdtemp(join(tmpdir(), 'concours-shared-'));
const plantedFile = join(folder, 'planted');
const closers = [() => removeFolder(folder)];
const world = await openWorld(SHARED_SETTINGS, closers);
closers.push(async () => readPlanted(plantedFile));

process.once('message', () => void end());
process.once('disconnect', () => void end());
const { url, operatorKey, databaseUrl } = world;
process.send?.({ url, operatorKey, databaseUrl, rpcUrl: world.chain.rpcUrl, plantedFile } satisfies SharedService);

let hasEnded = false;

async function end(): Promise<void> {
  if (hasEnded) return;
  hasEnded = true;
  try {
    await closeAll(closers);
    process.exit();
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
}
