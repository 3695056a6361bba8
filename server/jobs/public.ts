// Recurring jobs: the public interface of jobs/.

export { type Job, startJobs } from './timers.ts';
export { createDependencyWatch, WATCH_EVERY_MS } from './watch-dependencies.ts';
