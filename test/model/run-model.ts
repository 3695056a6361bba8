import fc from 'fast-check';
import type { ModelDatabase } from './database.ts';
import { checkEnd } from './finish.ts';
import { createScene, type Scene } from './scene.ts';
import { emptyDatabase } from './snapshot.ts';
import { settings, steps } from './steps.ts';

const MOST_STEPS = 200;
// A failure is shortened for so long; what is found by then is shown.
const SHRINK_MS = 60_000;

/** What a failure shows: how it came about, shortened, and how to see it again. */
export class ModelFailure extends Error {
  readonly seed: number;
  constructor(seed: number, cause: unknown, trace: string[]) {
    super(`seed ${seed}: ${cause instanceof Error ? cause.message : String(cause)}\n${trace.join('\n')}`, { cause });
    this.name = 'ModelFailure';
    this.seed = seed;
  }
}

/** One story, drawn from the seed, to its end; a failing one is shortened and thrown. */
export async function runModel(database: ModelDatabase, seed: number): Promise<{ steps: number; trace: string[] }> {
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
  return { steps: done, trace: (last as Scene | null)?.trace ?? [] };
}
