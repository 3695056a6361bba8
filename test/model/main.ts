import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { testServer } from '../support/test-database.ts';
import type { Stories, Told } from './stories.ts';

// `npm run test:model`: runs stories of people, money, time, and faults, each from its own seed, until it has done
// enough steps.
const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '200000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    threads: { type: 'string', default: String(Math.min(availableParallelism(), 4)) },
  },
});
const [steps, firstSeed, threads] = [Number(values.steps), Number(values.seed), Number(values.threads)];
const EVERY_MS = 10_000;
const LARGE = 3;
// A run of so many steps must have mined a large batch in so many of them, or it says nothing about batches.
const LONG_RUN = 10_000;
const STEPS_PER_LARGE_BATCH = 1_000;

const began = performance.now();
const sum = { steps: 0, stories: 0 };
/** How many batches of each size were mined. */
const batches = new Map<number, number>();
const failures: { failedSeed: number; why: string }[] = [];
const report = () => {
  const seconds = (performance.now() - began) / 1000;
  console.log(`${sum.steps} steps in ${sum.stories} stories, ${Math.round(sum.steps / seconds)} steps a second`);
};

console.log(`seed ${firstSeed}, ${steps} steps, ${threads} threads`);
const server = process.env['TEST_DATABASE_URL'] ? null : await testServer();
const serverUrl = server?.url ?? process.env['TEST_DATABASE_URL'] ?? '';
const reporting = setInterval(report, EVERY_MS);
const workers = Array.from({ length: threads }, (_, index) => {
  const share = Math.ceil(steps / threads);
  const name = `model_${process.pid}_${index}`;
  const told: Stories = { serverUrl, name, firstSeed: firstSeed + index, everySeed: threads, steps: share };
  return new Worker(new URL('./stories.ts', import.meta.url), { workerData: told });
});
const ended = Promise.all(
  workers.map(
    (worker) =>
      new Promise<void>((resolve, reject) => {
        worker.on('message', (told: Told) => {
          if ('failedSeed' in told) failures.push(told);
          else {
            sum.steps += told.steps;
            sum.stories += told.stories;
            for (const [size, count] of told.batches) batches.set(size, (batches.get(size) ?? 0) + count);
          }
        });
        worker.once('error', reject);
        worker.once('exit', () => resolve());
      }),
  ),
);
try {
  await ended;
} finally {
  clearInterval(reporting);
  await server?.stop();
}
report();
const sizes = [...batches].toSorted(([one], [other]) => one - other);
console.log(`batches by size: ${sizes.map(([size, count]) => `${size}: ${count}`).join(', ')}`);
const large = sizes.reduce((total, [size, count]) => total + (size >= LARGE ? count : 0), 0);
if (sum.steps >= LONG_RUN && large < sum.steps / STEPS_PER_LARGE_BATCH) {
  console.error(`\nonly ${large} batches of at least ${LARGE} payments: the stories no longer test them`);
  process.exitCode = 1;
}
for (const { failedSeed, why } of failures) {
  console.error(`\n${why}\nAgain: npm run test:model -- --seed=${failedSeed} --steps=1 --threads=1`);
  process.exitCode = 1;
}
