import { parentPort, workerData } from 'node:worker_threads';
import { modelDatabase } from './database.ts';
import { ModelFailure, runModel } from './run-model.ts';

/** The messages to and from a thread. */
export type Stories = { serverUrl: string; name: string; firstSeed: number; everySeed: number; steps: number };
export type Told =
  | { steps: number; stories: number; batches: Map<number, number> }
  | { failedSeed: number; why: string };

const { serverUrl, name, firstSeed, everySeed, steps } = workerData as Stories;
// eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
const tell = (told: Told) => parentPort?.postMessage(told);

const database = await modelDatabase(serverUrl, name);
try {
  let left = steps;
  for (let seed = firstSeed; left > 0; seed += everySeed) {
    const { steps: done, batches } = await runModel(database, seed);
    left -= Math.max(done, 1);
    tell({ steps: done, stories: 1, batches });
  }
} catch (error) {
  if (!(error instanceof ModelFailure)) throw error;
  tell({ failedSeed: error.seed, why: error.message });
} finally {
  await database.close();
}
