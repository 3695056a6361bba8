import fc from 'fast-check';
import type { ModelDatabase } from './database.ts';
import { checkEnd } from './finish.ts';
import { createScene, type Scene } from './scene.ts';
import { emptyDatabase } from './snapshot.ts';
import { settings, steps } from './steps.ts';

const MOST_STEPS = 200;
// The time limit for a story and for shrinking its failure. A busy machine makes some steps a second. The report shows the
// shortest story found by then.
const SHRINK_MS = 300_000;

/** The report of a failure: the shortened story and the way to repeat it. */
export class ModelFailure extends Error {
  readonly seed: number;
  constructor(seed: number, cause: unknown, trace: string[]) {
    super(`seed ${seed}: ${cause instanceof Error ? cause.message : String(cause)}\n${trace.join('\n')}`, { cause });
    this.name = 'ModelFailure';
    this.seed = seed;
  }
}

/** `batches`: how many batches of each size were mined. */
type Story = { steps: number; trace: string[]; batches: Map<number, number> };

/** Runs one story from its seed to its end. Shrinks and throws a failing story. */
export async function runModel(database: ModelDatabase, seed: number): Promise<Story> {
  const db = database.of(seed);
  let last: Scene | null = null;
  let failed: Scene | null = null;
  let done = 0;
  const property = fc.asyncProperty(settings, steps(MOST_STEPS), async (drawnSettings, commands) => {
    await emptyDatabase(db);
    const scene = await createScene(db, drawnSettings);
    last = scene;
    const realTimeout = AbortSignal.timeout;
    AbortSignal.timeout = () => scene.world.outside.timeout();
    try {
      await fc.asyncModelRun(() => ({ model: scene, real: scene }), commands);
      await checkEnd(scene);
      done += scene.steps;
    } catch (error) {
      failed = scene;
      throw error;
    } finally {
      AbortSignal.timeout = realTimeout;
    }
  });
  const details = await fc.check(property, {
    seed,
    numRuns: 1,
    plugins: [fc.unbiased(), fc.interruptAfterTimeLimit(SHRINK_MS)],
  });
  if (details.failed) {
    const scene = (failed ?? last) as Scene | null;
    throw new ModelFailure(seed, details.errorInstance, scene?.trace ?? []);
  }
  const told = last as Scene | null;
  return { steps: done, trace: told?.trace ?? [], batches: told?.world.model.batchSizes ?? new Map() };
}
