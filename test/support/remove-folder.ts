import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

/**
 * Removes the data of a service. Tries again for up to 3 s, because the chain of a service that was killed still writes
 * its state into the folder before it ends.
 */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/** Creates a folder that is removed with the test file. Hooks run in their order: later ones find it gone. */
export async function temporaryFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `concours-${name}-`));
  after(() => removeFolder(folder));
  return folder;
}
