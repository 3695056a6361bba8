// Recurring jobs: the public interface of jobs/.

export { type Job, type Run, startJobs } from './timers.ts';
export { createDependencyWatch, WATCH_EVERY_MS } from './watch-dependencies.ts';
