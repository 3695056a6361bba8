import { rm } from 'node:fs/promises';

/**
 * Removes the data of a service. Tries again for up to 3 s, because the chain of a service that was killed still writes
 * its state into the folder before it ends.
 */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}
